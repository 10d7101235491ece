import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDate, isDateTime, isDay } from '../../src/wire/dates.ts';
import { isBlock, isLine, isNote } from '../../src/wire/text.ts';
import { FORMAT_PATTERNS } from '../../src/wire/validation.ts';
import { requestText, sendRaw } from '../support/raw-http.ts';
import type { FilledService } from './filled-service.ts';
import {
  fieldOfSchema,
  type OpenApiDocument,
  type Schema,
  startDocumentedService,
} from './openapi-document.ts';

// The service accepts and refuses texts as the patterns of the document say.

let service: FilledService;
let document: OpenApiDocument;
let port: number;

beforeAll(async () => {
  ({ service, document, port } = await startDocumentedService());
});
afterAll(() => service.stop());

const fieldOf = (name: string, field: string) => fieldOfSchema(document, name, field);
const headerSchemaOf = (path: string, name: string): Schema =>
  document.paths[path]?.post?.parameters.find((parameter) => parameter.name === name)?.schema ?? {};

function allows({ pattern = '', maxLength = Number.POSITIVE_INFINITY }: Schema, text: string): boolean {
  return text.isWellFormed() && new RegExp(pattern, 'u').test(text) && [...text].length <= maxLength;
}

/** Code points at the edges of every rule about texts, and some that no rule is about. */
const CODE_POINTS = [
  ...[
    0x00, 0x01, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x1f, 0x20, 0x21, 0x7e, 0x7f, 0x80, 0x85, 0x9f,
    0xa0,
  ],
  ...[
    0x61b, 0x61c, 0x61d, 0x1680, 0x2000, 0x200a, 0x200b, 0x200d, 0x200e, 0x200f, 0x2010, 0x2027, 0x2028,
    0x2029,
  ],
  ...[
    0x202a, 0x202e, 0x202f, 0x205f, 0x2065, 0x2066, 0x2069, 0x206a, 0x3000, 0xd7ff, 0xd800, 0xdbff, 0xdc00,
    0xdfff,
  ],
  ...[0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff],
];
const TEXTS = CODE_POINTS.map((point) => String.fromCodePoint(point)).flatMap((one) => [
  one,
  `a${one}`,
  `${one}a`,
]);

describe('patterns of texts', () => {
  test.each([
    ['text-line', isLine],
    ['text-note', isNote],
    ['text-block', isBlock],
  ])('%s is the rule of the service for every code point', (format, isAllowed) => {
    const pattern = new RegExp(FORMAT_PATTERNS[format] ?? '', 'u');
    const different: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const one = String.fromCodePoint(point);
      for (const text of [one, `a${one}`, `${one}a`]) {
        // Lone surrogates are no text, and a pattern that names them is one that many readers refuse.
        if ((text.isWellFormed() && pattern.test(text)) !== isAllowed(text)) {
          different.push(`U+${point.toString(16)}`);
        }
      }
    }
    expect(different).toEqual([]);
    expect([pattern.test(''), pattern.test(' ')]).toEqual([isAllowed(''), isAllowed(' ')]);
  });

  test('stand at every text with a format of ours, and nowhere another one', () => {
    const found: Schema[] = [];
    JSON.parse(JSON.stringify(document), (_name, value) => {
      if (typeof value?.format === 'string' && value.format in FORMAT_PATTERNS) {
        found.push(value);
      }
      return value;
    });
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ format = '', pattern }) => pattern !== FORMAT_PATTERNS[format])).toEqual([]);
  });

  test.each(['playerId', 'name', 'source', 'reference', 'idempotencyKey'])(
    'of %s in a batch allow what is accepted, and nothing else',
    async (field) => {
      const schema = fieldOf('BatchItem', field);
      const base = { playerId: 'p', name: 'n', quantity: 1, amount: 1, source: 's' };
      const longest = 'x'.repeat(schema.maxLength ?? 0);
      const texts = [...TEXTS, '', ' ', longest, `${longest}x`, `${longest.slice(1)}\u{1f600}`];
      for (let first = 0; first < texts.length; first += 100) {
        const part = texts.slice(first, first + 100);
        const transactions = part.map((text) => ({ ...base, [field]: text }));
        const { body } = await service.ask({
          method: 'POST',
          url: '/guild/transactions',
          payload: { atomic: false, transactions },
        });
        const accepted = body.data.results.map(({ code }: { code: string | null }) =>
          [null, 'idempotency_mismatch'].includes(code),
        );
        expect(part.filter((text, index) => accepted[index] !== allows(schema, text))).toEqual([]);
      }
    },
  );

  test('of metadata and of a discharge allow what is accepted, and nothing else', async () => {
    const note = fieldOf('BatchItem', 'metadata').additionalProperties ?? {};
    const transactions = CODE_POINTS.map((point) => ({
      ...{ playerId: 'p', name: 'n', quantity: 1, amount: 1, source: 's' },
      metadata: { a: String.fromCodePoint(point) },
    }));
    const payload = { atomic: false, transactions };
    const { body } = await service.ask({ method: 'POST', url: '/guild/transactions', payload });
    for (const [index, point] of CODE_POINTS.entries()) {
      const text = String.fromCodePoint(point);
      expect([text, body.data.results[index].status === 'posted']).toEqual([text, allows(note, text)]);
      const reply = await service.ask({
        method: 'PUT',
        url: '/guild/records/discharges/d',
        payload: { ...DISCHARGE_FIELDS, reason: text },
      });
      expect([text, reply.status === 200]).toEqual([text, allows(fieldOf('Discharge', 'reason'), text)]);
    }
  });

  const POST = { playerId: 'p', name: 'n', quantity: 1, amount: 1, source: 's' };
  test.each([
    ['/guild/ledger', POST],
    ['/guild/payments', { fromPlayerId: 'a', toPlayerId: 'b', amount: 1, name: 'n', source: 's' }],
    ['/guild/transactions', { transactions: [POST] }],
  ])(
    'of the header Idempotency-Key of %s allow what is accepted, and nothing else',
    async (path, payload) => {
      const schema = headerSchemaOf(path, 'Idempotency-Key');
      const longest = 'k'.repeat(schema.maxLength ?? 0);
      const keys = ['a', '~!', 'a b', 'a,b', '', ' ', ' a', 'a ', '\t', 'a\tb', 'é', longest, `${longest}k`];
      for (const key of keys) {
        const lines = [
          `x-api-key: ${service.key}`,
          'content-type: application/json',
          `idempotency-key: ${key}`,
        ];
        service.clock.advance(1_001);
        const bytes = Buffer.from(
          requestText(`POST ${path} HTTP/1.1`, lines, JSON.stringify(payload)),
          'latin1',
        );
        const { status } = await sendRaw(port, bytes);
        // HTTP takes spaces around a value away, so a key that has them is another one.
        expect([key, status !== 400]).toEqual([key, allows(schema, key.trim())]);
      }
      expect([' a', 'a ', ' '].map((key) => allows(schema, key))).toEqual([false, false, false]);
    },
  );

  test('of dates allow the days of the calendar, and nothing else', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    const isReal = (text: string) => {
      const start = Date.parse(`${text}T00:00:00Z`);
      return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
    };
    for (const year of ['0000', '1900', '2000', '2023', '2024', '2100', '9999']) {
      for (let rest = 0; rest < 10_000; rest += 1) {
        const day = `${year}-${two(Math.floor(rest / 100))}-${two(rest % 100)}`;
        expect([day, isDay(day), isDate(day), isDateTime(`${day}T10:00Z`)]).toEqual([
          day,
          ...Array(3).fill(isReal(day)),
        ]);
      }
    }
    for (let time = 0; time < 10_000; time += 1) {
      const clock = `${two(Math.floor(time / 100))}:${two(time % 100)}`;
      for (const text of [
        `2027-01-31T${clock}Z`,
        `2027-01-31T${clock}:59.5Z`,
        `2027-01-31T00:00:00+${clock}`,
      ]) {
        expect([text, isDateTime(text)]).toEqual([text, !Number.isNaN(Date.parse(text))]);
      }
    }
  });
});

const DISCHARGE_FIELDS = {
  ...{
    chatId: '1',
    playerId: 'p',
    name: 'n',
    reason: '',
    date: '2026-03-14',
    type: 't',
    from: 'f',
    signed: 's',
  },
};
