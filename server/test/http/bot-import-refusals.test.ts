import { describe, expect, test } from 'vitest';
import { shareImports, TRANSACTION } from './bot-imports.ts';
import { NDJSON, toNdjson } from './bot-service.ts';
import { DISCHARGE, errorText, expectRefusal } from './filled-service.ts';

const imports = shareImports();
const { outcomes } = imports;

describe('what does not go in', () => {
  test.each([
    ['a total that is none', { total: 1 }, 'total must be amount times quantity'],
    ['an amount of zero', { amount: 0 }, 'amount must not be zero'],
    ['a fifth decimal place', { amount: 0.00001 }, 'amount must have at most 4 decimal places'],
    [
      'an id in capitals',
      { transactionId: TRANSACTION.transactionId.toUpperCase() },
      'transactionId must be a UUID in lower case',
    ],
    [
      'a time without an offset',
      { createdAt: '2025-11-14T20:15:30' },
      'createdAt must be a time such as 2027-01-31T18:00:00Z',
    ],
    ['half an item', { quantity: 0.5 }, 'quantity must be an integer of at least 1'],
  ])('a transaction with %s is rejected', async (_name, changes, reason) => {
    const before = imports.service.snapshot();
    const lines = await imports.service.importLines(
      '/bot/import/transactions',
      toNdjson([{ ...TRANSACTION, ...changes }]),
    );
    expect(lines).toEqual([{ line: 1, outcome: 'rejected', reason }]);
    expect(imports.service.snapshot()).toBe(before);
  });

  describe('bodies that are none', () => {
    test.each(['', '\n', '\n \r\n\t\n', '\uFEFF'])('%j is an import of nothing', async (body) => {
      const before = imports.service.snapshot();
      expect(await imports.service.importLines('/bot/import/discharges', body)).toEqual([]);
      expect(imports.service.snapshot()).toBe(before);
    });

    test('a byte order mark before the first line is passed over', async () => {
      const body = `\uFEFF${toNdjson([DISCHARGE])}`;
      expect(await outcomes('/bot/import/discharges', body)).toEqual(['unchanged']);
    });

    test('a line that is not UTF-8 is rejected, and the next one goes in', async () => {
      const latin = Buffer.from(JSON.stringify({ ...DISCHARGE, id: 'latin', name: 'René' }), 'latin1');
      const body = Buffer.concat([latin, Buffer.from('\n'), Buffer.from(toNdjson([DISCHARGE]))]);
      expect(await imports.service.importLines('/bot/import/discharges', body)).toEqual([
        { line: 1, outcome: 'rejected', reason: 'the text is not UTF-8' },
        { line: 2, outcome: 'unchanged' },
      ]);
    });

    test('a line of more than a mebibyte is rejected, and the next one goes in', async () => {
      const body = `${JSON.stringify({ ...DISCHARGE, reason: 'x'.repeat(1_100_000) })}\n${toNdjson([DISCHARGE])}`;
      expect(await imports.service.importLines('/bot/import/discharges', body)).toEqual([
        { line: 1, outcome: 'rejected', reason: 'the line is longer than 1048576 bytes' },
        { line: 2, outcome: 'unchanged' },
      ]);
    });
  });

  describe('requests that are none', () => {
    const send = (url: string, headers: Record<string, string>) =>
      imports.service.bot('POST', url, { payload: toNdjson([{ ...DISCHARGE, id: 'new' }]), headers });

    test.each(['application/json', 'text/plain', 'text/csv', 'application/x-ndjsonx'])(
      'the content type %s is refused, and nothing is imported',
      async (type) => {
        const before = imports.service.snapshot();
        const reply = await send('/bot/import/discharges', { 'content-type': type });
        expectRefusal(
          reply,
          415,
          errorText('Unsupported media type - send application/x-ndjson', { code: 'unsupported_media_type' }),
        );
        expect(imports.service.snapshot()).toBe(before);
      },
    );

    test('a content type with a charset is understood', async () => {
      const reply = await send('/bot/import/discharges', {
        'content-type': 'application/x-ndjson; charset=utf-8',
      });
      expect(reply.text).toBe('{"line":1,"outcome":"created"}\n');
    });

    test.each(['guilds', 'keys', 'Discharges', '__proto__', 'constructor'])(
      'there is no kind %s',
      async (kind) => {
        const reply = await send(`/bot/import/${kind}`, NDJSON);
        const kinds = 'discharges, transfers, verifications, commands, transactions';
        expectRefusal(
          reply,
          400,
          errorText(`Bad request - kind must be one of: ${kinds}`, { code: 'invalid_input' }),
        );
      },
    );

    test.each(['guild=', 'guild=%00', `guild=${'x'.repeat(129)}`, 'guild=1&guild=2'])(
      'the query %s is refused',
      async (query) => {
        const reply = await send(`/bot/import/discharges?${query}`, NDJSON);
        expect(reply.status).toBe(400);
      },
    );
  });
});
