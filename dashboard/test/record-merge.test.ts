import { expect, test } from 'vitest';
import { transferKind } from '../src/records/record-kinds.ts';
import { findDifferences, mergeRecord } from '../src/records/record-merge.ts';

const base = {
  id: 'T-1',
  playerId: '1',
  name: 'Alder',
  from: 'A',
  to: 'B',
  signed: '',
  date: '2026-03-01T00:00:00.000Z',
  chatId: '',
  type: '',
  reason: '',
};

test('of two versions each field that differs is told, and what only one of them touched is likely meant', () => {
  const theirs = { ...base, to: 'Theirs', signed: 'Niall', from: 'Same' };
  const mine = { ...base, to: 'Mine', name: 'Elder', from: 'Same' };
  const differences = findDifferences(transferKind(), { base, theirs, mine });
  expect(differences).toEqual([
    { name: 'name', label: 'Name', mine: 'Elder', theirs: 'Alder', likely: 'mine' },
    { name: 'to', label: 'To', mine: 'Mine', theirs: 'Theirs', likely: 'mine' },
    { name: 'signed', label: 'Signed by', mine: '', theirs: 'Niall', likely: 'theirs' },
  ]);
  expect(mergeRecord(mine, differences, {})).toEqual({ ...mine, signed: 'Niall' });
  expect(mergeRecord(mine, differences, { to: 'theirs', signed: 'mine' })).toEqual({ ...mine, to: 'Theirs' });
});

test('a date that somebody else moved is a difference too', () => {
  const theirs = { ...base, date: '2026-04-01T00:00:00.000Z' };
  const [date] = findDifferences(transferKind(), { base, theirs, mine: base });
  expect(date).toMatchObject({ name: 'date', likely: 'theirs' });
});
