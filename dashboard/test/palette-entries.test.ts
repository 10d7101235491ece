import { describe, expect, test } from 'vitest';
import { findEntries, type PaletteEntry } from '../src/app/palette-entries.ts';

const entryOf = (label: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: label,
  label,
  onOpen: () => undefined,
  ...more,
});

const groups = [
  { name: 'Pages', entries: [entryOf('Ledger', { keywords: ['money', 'balance'] }), entryOf('Overview')] },
  {
    name: 'Commands',
    entries: [entryOf('transfer', { description: 'Changes a balance' }), entryOf('balance')],
  },
];

const shown = (text: string) =>
  findEntries(groups, text).map(({ name, entries }) => [name, entries.map(({ label }) => label)]);

describe('the entries of the palette', () => {
  test('all are shown while nothing is typed, in their order', () => {
    expect(shown(' ')).toEqual([
      ['Pages', ['Ledger', 'Overview']],
      ['Commands', ['transfer', 'balance']],
    ]);
  });

  test('a label that fits comes before a description or keyword that does', () => {
    expect(shown('BALANCE')).toEqual([
      ['Commands', ['balance', 'transfer']],
      ['Pages', ['Ledger']],
    ]);
  });

  test('a label with a word that begins with the text comes before others that have it', () => {
    const pages = {
      name: 'Pages',
      entries: ['Overview', 'Webhooks', 'The web'].map((label) => entryOf(label)),
    };
    const labels = (text: string) =>
      findEntries([pages], text).flatMap(({ entries }) => entries.map(({ label }) => label));
    expect(labels('w')).toEqual(['Webhooks', 'The web', 'Overview']);
    expect(labels('web')).toEqual(['Webhooks', 'The web']);
    const french = { name: 'Pages', entries: [entryOf('Crédit audité'), entryOf('Journal d’audit')] };
    expect(findEntries([french], 'dit')[0]?.entries.map(({ label }) => label)).toHaveLength(2);
    expect(
      findEntries([{ ...french, entries: [entryOf('L’inaudit'), entryOf('Journal d’audit')] }], 'audit')[0]
        ?.entries[0]?.label,
    ).toBe('Journal d’audit');
  });

  test('groups in which nothing fits are left out', () => {
    expect(shown('over')).toEqual([['Pages', ['Overview']]]);
    expect(shown('nothing like it')).toEqual([]);
  });

  test('what the service has chosen is not filtered again', () => {
    const players = { name: 'Players', entries: [entryOf('Ærik')], isChosen: true };
    expect(findEntries([...groups, players], 'aerik')).toEqual([players]);
  });

  test('a long group pushes no other out of the list', () => {
    const many = Array.from({ length: 500 }, (_, number) => entryOf(`balance ${number}`));
    const found = findEntries([{ name: 'Players', entries: many, isChosen: true }, ...groups], 'balance');
    expect(found.map(({ name, entries }) => [name, entries.length])).toEqual([
      ['Players', 20],
      ['Commands', 2],
      ['Pages', 1],
    ]);
  });
});
