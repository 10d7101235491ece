import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TEXTS } from '../../src/texts/texts-of.ts';

const SOURCE = path.join(import.meta.dirname, '../../src');

/** The text of a file, or of all files of a folder. */
function read(place: string): string {
  const whole = path.join(SOURCE, place);
  return place.endsWith('.ts')
    ? readFileSync(whole, 'utf8')
    : readdirSync(whole)
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(path.join(whole, file), 'utf8'))
        .join('\n');
}

/** True when a source takes an entry from the texts: by its name, by taking them apart, or from a list of labels. */
function uses(source: string, name: string): boolean {
  const texts = String.raw`(?:texts|channel|weekly|(?:boardTexts|textsFor)\([^)]*\))`;
  const ways = [
    String.raw`${texts}\.${name}\b`,
    String.raw`\(\{[^}]*\b${name}\b[^}]*\}\) =>`,
    String.raw`\{[^}]*\b${name}\b[^}]*\}: ChannelTexts`,
    String.raw`LABELS = \[[^\]]*'${name}'`,
  ];
  return ways.some((way) => new RegExp(way).test(source));
}

test.each([
  ['chat', ['domain/chat']],
  ['channel', ['domain/webhooks/discord.ts', 'domain/webhooks/disabled-reasons.ts']],
  ['weekly', ['webhooks/summary.ts']],
  ['board', ['http/board']],
] as const)('every text of %s is used', (area, places) => {
  const source = places.map(read).join('\n');
  expect(Object.keys(TEXTS.en[area]).filter((name) => !uses(source, name))).toEqual([]);
  expect(uses(source, 'noSuchText')).toBe(false);
});

test('every refusal, title and label is of a code, an event and a fact that exist', () => {
  const { chat, channel } = TEXTS.en;
  const events = ['event-types.ts', 'event.ts'].map((file) => read(`domain/webhooks/${file}`));
  const facts = ['facts.ts', 'event-source.ts', 'sealed-day.ts', 'webhook.ts'].map((file) =>
    read(`domain/webhooks/${file}`),
  );
  expect(missing(chat.refusals, read('domain/errors.ts'))).toEqual([]);
  const rules = ['amount.ts', 'ledger.ts', 'payments.ts'].map((file) => read(`domain/ledger/${file}`));
  expect(missing(chat.details, rules.join('\n').replaceAll(/\$\{field\}/g, 'amount'))).toEqual([]);
  expect(missing(channel.titles, events.join('\n'))).toEqual([]);
  expect(missing(channel.facts, [...facts, read('domain/model.ts')].join('\n'))).toEqual([]);
  expect(missing({ 'no.such': '' }, 'nosuch')).toEqual(['no.such']);
});

function missing(entries: object, source: string): string[] {
  return Object.keys(entries).filter((name) => !source.includes(name));
}
