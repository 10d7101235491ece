import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/domain/ledger/entries.ts';
import { DISABLED_REASONS, reasonIn, refusedByPlatform } from '../../src/domain/webhooks/disabled-reasons.ts';
import { toChatMessage } from '../../src/domain/webhooks/discord.ts';
import type { WebhookEvent } from '../../src/domain/webhooks/event.ts';
import { drawable, segmentsOf, widthOf } from '../../src/http/board/stroke-font.ts';
import { LANGUAGES, type Language } from '../../src/texts/language.ts';
import type { Texts } from '../../src/texts/texts.ts';
import { TEXTS, textsOf } from '../../src/texts/texts-of.ts';
import { isDrawable } from '../../src/webhooks/week-chart.ts';

const OTHERS = LANGUAGES.filter((language) => language !== 'en');

/** Texts whose value is a number. */
const COUNTED = ['moreCommands', 'andMore', 'more', 'rootOf', 'accountsCounted', 'commandsCounted'];
const COUNT = 7;

/** Words that a language shares with English. */
const SHARED: Readonly<Partial<Record<Language, readonly string[]>>> = {
  de: ['channel.titles.webhook.test', 'channel.facts.name'],
  fr: [
    'chat.transactions',
    'chat.transaction',
    'chat.page',
    'chat.note',
    'chat.date',
    'channel.source',
    'channel.facts.size',
    'weekly.transactions',
    'board.transactions',
  ],
};
const ENGLISH_WORDS = /\b(?:the|and|of|is|are|not|this|your|with)\b/i;

interface Rendered {
  key: string;
  text: string;
  /** The values that were given to it. */
  values: string[];
}

/** Every text of a part of a table. Weekdays are no texts: they are letters of a chart. */
function render(part: unknown, key: string): Rendered[] {
  if (typeof part === 'string') {
    return [{ key, text: part, values: [] }];
  }
  if (typeof part === 'function') {
    const marks = Array.from({ length: part.length }, (_, index) => `⟦${index}⟧`);
    const values: (string | number)[] = COUNTED.includes(key.split('.').at(-1) ?? '') ? [COUNT] : marks;
    const made: unknown = part(...values);
    return [{ key, text: Array.isArray(made) ? made.join('') : String(made), values: values.map(String) }];
  }
  return Array.isArray(part)
    ? []
    : Object.entries(part ?? {}).flatMap(([name, inner]) => render(inner, `${key}.${name}`));
}

function renderAll({ formats: _formats, ...areas }: Texts): Rendered[] {
  return Object.entries(areas).flatMap(([area, texts]) => render(texts, area));
}

describe.each(OTHERS)('the texts in %s', (language) => {
  const all = renderAll(TEXTS[language]);

  test('are no English ones, except for words that both languages have', () => {
    const english = new Map(renderAll(TEXTS.en).map(({ key, text }) => [key, text]));
    const same = all.filter(({ key, text }) => english.get(key) === text).map(({ key }) => key);
    expect(same).toEqual(SHARED[language] ?? []);
    expect(all.filter(({ text }) => ENGLISH_WORDS.test(text))).toEqual([]);
    expect(all.map(({ key }) => key)).toEqual([...english.keys()]);
  });
});

describe.each(LANGUAGES)('every text in %s', (language) => {
  const all = renderAll(TEXTS[language]);

  test('has all of its values, and no empty or doubled space', () => {
    for (const { key, text, values } of all) {
      for (const value of values) {
        expect(text, key).toContain(value);
      }
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toMatch(/ {2}|#|undefined|\[object/);
      expect(text, key).not.toBe('');
    }
  });

  test('can stand in a page of HTML as it is', () => {
    const board = all.filter(({ key }) => key.startsWith('board.'));
    expect(board.filter(({ text }) => /[<>&"]/.test(text))).toEqual([]);
  });

  test('fits into a message of Discord', () => {
    const { chat } = TEXTS[language];
    for (const label of [chat.pay, chat.cancel, chat.reverse, chat.newer, chat.older]) {
      expect(label.length).toBeLessThanOrEqual(80);
    }
    // Longer ones are cut.
    expect(all.filter(({ text }) => text.length > 200)).toEqual([]);
  });

  test('the chart of a week has seven different days, whose letters can be drawn', () => {
    const { weekdays } = TEXTS[language].weekly;
    expect(new Set(weekdays).size).toBe(7);
    expect(weekdays.filter((label) => label.length > 3 || !isDrawable(label))).toEqual([]);
  });

  test('the labels of a board’s picture can be drawn with their accents, or all of them are English', () => {
    const { subtitle, inCirculation, accounts, transactions, chart } = TEXTS[language].board;
    const drawn = [subtitle, inCirculation, accounts, transactions, chart].map(drawable);
    expect(drawn.filter((text) => text !== undefined)).toHaveLength(language === 'ja' ? 0 : 5);
  });

  test('a message about many events stays within the limit of characters', () => {
    const facts = Object.fromEntries(
      ['name', 'username', 'playerId', 'type', 'from', 'to'].map((name) => [name, '*'.repeat(4_000)]),
    );
    const event = eventOf('transfer.created', { kind: 'facts', facts, playerIds: [] });
    const texts = TEXTS[language];
    const { embeds } = toChatMessage(
      Array.from({ length: 50 }, () => event),
      { names: new Map(), texts },
    );
    const characters = embeds.flatMap(({ title, description = '', fields = [] }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ]);
    expect(characters.join('').length).toBeLessThanOrEqual(6_000);
    expect(embeds.at(-1)?.title).toBe(texts.channel.more(50 - embeds.length + 1));
  });
});

describe('numbers and dates', () => {
  test('are written as the language writes them, and as the interface does in English', () => {
    const atMs = Date.parse('2026-11-18T04:43:21.496Z');
    const shown = (language: Language) => {
      const { amount, count, day, minute } = TEXTS[language].formats;
      return [amount('-1234567.8901'), count(1_234), day(atMs), minute(atMs)];
    };
    expect(shown('en')).toEqual(['-1234567.8901', '1234', '2026-11-18', '2026-11-18 04:43 UTC']);
    expect(shown('de')).toEqual(['-1.234.567,8901', '1.234', '18. November 2026', '18.11.2026, 04:43 UTC']);
    expect(shown('ja')).toEqual(['-1,234,567.8901', '1,234', '2026年11月18日', '2026/11/18 4:43 UTC']);
  });

  test('choose the form of a word', () => {
    const accounts = (language: Language) =>
      [0, 1, 2, 1_000_000].map((count) => TEXTS[language].board.accountsCounted(count));
    expect(accounts('en')).toEqual(['0 accounts', '1 account', '2 accounts', '1,000,000 accounts']);
    expect(accounts('de')).toEqual(['0 Konten', '1 Konto', '2 Konten', '1.000.000 Konten']);
    expect(accounts('fr')).toEqual(['0 compte', '1 compte', '2 comptes', '1\u202F000\u202F000 de comptes']);
    expect(accounts('es')).toEqual(['0 cuentas', '1 cuenta', '2 cuentas', '1.000.000 de cuentas']);
    expect(accounts('pt-BR')).toEqual(['0 conta', '1 conta', '2 contas', '1.000.000 de contas']);
    expect(accounts('ja')).toEqual(['0口座', '1口座', '2口座', '1,000,000口座']);
  });
});

test('a channel message is in the language of its guild', () => {
  // Only the parts that a message reads.
  const entry = {
    playerId: 'p1',
    totalUnits: 12_345_000,
    balanceUnits: -5_000,
    quantity: 1_000,
    name: 'Prize',
    source: 'event',
  } as LedgerEntry;
  const facts = { name: 'shop', expiresAt: '2026-11-18T04:43:21.496Z', message: 'unseen' };
  const { embeds } = toChatMessage(
    [
      eventOf('transaction.posted', { kind: 'transaction', entry }),
      eventOf('balance.below', { kind: 'balance', entry, belowUnits: 0 }),
      eventOf('webhook.test', { kind: 'facts', facts, playerIds: [] }),
    ],
    { names: new Map([['p1', 'Rowan']]), texts: textsOf({ language: 'de' }) },
  );
  expect(embeds).toMatchObject([
    {
      title: 'Einzahlung',
      description: '**+1.234,5** · 1.000 × Prize',
      fields: [
        { name: 'Spieler', value: 'Rowan \\(p1\\)' },
        { name: 'Quelle', value: 'event' },
        { name: 'Kontostand', value: '-0,5' },
      ],
    },
    { title: 'Konto überzogen', description: 'Kontostand von Rowan \\(p1\\): **-0,5**' },
    {
      title: 'Test',
      description: 'Dies ist ein Test dieses Kanals.',
      fields: [
        { name: 'Name', value: 'shop' },
        { name: 'Läuft ab', value: '18.11.2026, 04\\:43 UTC' },
      ],
    },
  ]);
});

test('an accent takes no room, and is drawn over the middle of its letter', () => {
  const text = drawable('ação') ?? '';
  expect(text.normalize('NFC')).toBe('AÇÃO');
  expect(widthOf(text, 10)).toBe(widthOf('ACAO', 10));
  const place = { x: 0, y: 0, height: 10 };
  const [plain, accented] = [segmentsOf('O', place), segmentsOf('Ó'.normalize('NFD'), place)];
  const added = accented.slice(plain.length);
  expect(accented.slice(0, plain.length)).toEqual(plain);
  expect(added).toHaveLength(1);
  for (const [fromX, fromY, toX, toY] of added) {
    expect(Math.abs((fromX + toX) / 2 - 4.7)).toBeLessThan(1);
    expect(Math.max(fromY, toY)).toBeLessThan(-10);
  }
});

test('a stored reason is shown in the language of the guild, and an unknown one as it is', () => {
  const german = TEXTS.de.channel;
  expect(reasonIn(DISABLED_REASONS.failing, german)).toBe(german.reasons.failing);
  expect(reasonIn(DISABLED_REASONS.gone, german)).toBe(german.reasons.gone);
  expect(reasonIn(DISABLED_REASONS.keyDeleted, german)).toBe(german.reasons.keyDeleted);
  expect(reasonIn(refusedByPlatform(404), german)).toBe(german.refusedBy('404'));
  expect(reasonIn(refusedByPlatform(404), TEXTS.en.channel)).toBe(refusedByPlatform(404));
  expect(reasonIn('Somebody said so.', german)).toBe('Somebody said so.');
});

test.each(OTHERS)(
  'the file of %s has its own plurals and formats, and not those of the one it was copied from',
  (language) => {
    const file = new URL(`../../src/texts/${language.toLowerCase()}.ts`, import.meta.url);
    const tags = readFileSync(file, 'utf8').matchAll(/(?:pluralsOf|formatsOf)\('([^']+)'\)/g);
    expect(Array.from(tags, ([, tag]) => tag)).toEqual([language, language]);
  },
);

test('a guild that has chosen no language speaks English', () => {
  expect(textsOf({ language: undefined })).toBe(TEXTS.en);
});

function eventOf(type: WebhookEvent['type'], subject: WebhookEvent['subject']): WebhookEvent {
  return { id: 'e', type, atMs: 0, subject };
}
