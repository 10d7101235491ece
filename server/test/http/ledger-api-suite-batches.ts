import { describe, expect, test } from 'vitest';
import { resultsOf } from './batch-results.ts';
import { type LedgerApi, UUID } from './ledger-api-service.ts';

/** Many transactions posted with one request. */
export function describeBatches(api: LedgerApi): void {
  const { aPlayer, send, item, strict, balanceOf } = api;

  describe('a batch', () => {
    test('is posted in its order', async () => {
      const player = aPlayer();
      const reply = await send('/guild/transactions', {
        transactions: [item({ playerId: player }), item({ playerId: player, amount: -1.5 })],
      });
      expect([reply.status, reply.body]).toEqual([
        200,
        {
          success: true,
          data: {
            results: [5, 3.5].map((balance) => ({
              status: 'posted',
              transactionId: expect.stringMatching(UUID),
              balance,
              code: null,
              message: null,
            })),
          },
        },
      ]);
    });

    test('that is atomic is refused as a whole, for an item that is refused or wrong', async () => {
      const player = aPlayer();
      const refused = await send(
        '/guild/transactions',
        { transactions: [item({ playerId: player }), item({ playerId: player, amount: -6 }), item()] },
        strict(),
      );
      expect([refused.status, refused.body]).toEqual([
        409,
        {
          success: false,
          message:
            'Conflict - an item was refused, so nothing was posted ' +
            '(transactions[1]: Conflict - the balance does not cover this withdrawal)',
          code: 'batch_refused',
          data: {
            results: [
              { status: 'skipped', transactionId: null, balance: null, code: null, message: null },
              {
                status: 'refused',
                transactionId: null,
                balance: null,
                code: 'insufficient_funds',
                message: 'Conflict - the balance does not cover this withdrawal',
              },
              { status: 'skipped', transactionId: null, balance: null, code: null, message: null },
            ],
          },
        },
      ]);
      const wrong = await send('/guild/transactions', {
        transactions: [
          item({ playerId: player }),
          item({ quantity: 0 }),
          item({ name: undefined }),
          item({ amount: 0 }),
          item({ amount: -1, deposit: true }),
          'no item',
        ],
      });
      expect(wrong.status).toBe(409);
      expect(resultsOf(wrong)).toEqual([
        'skipped',
        'refused invalid_input',
        'refused missing_fields',
        'refused invalid_input',
        'refused deposit_conflict',
        'refused invalid_input',
      ]);
      expect([await balanceOf(player), await balanceOf(player, strict())]).toEqual([0, 0]);
    });

    test.each<[object, string]>([
      [{ amount: 0 }, 'Bad request - amount must not be zero'],
      [{ amount: 0.00001 }, 'Bad request - amount must have at most 4 decimal places'],
      [{ quantity: 0 }, 'Bad request - quantity must be an integer of at least 1'],
      [{ source: undefined }, 'Bad request - missing required fields'],
      [
        { amount: -1, deposit: true },
        'Explicit deposit flag conflicts with negative amount (potential exploit detected)',
      ],
      [{ amount: -6 }, 'Conflict - the balance does not cover this withdrawal'],
    ])('names the first item that was refused, counted from 0: %j', async (changes, reason) => {
      const player = aPlayer();
      const good = item({ playerId: player });
      const faulty = { ...item({ playerId: aPlayer() }), ...changes };
      const transactions = [good, good, good, faulty, good, faulty];
      const reply = await send('/guild/transactions', { transactions }, strict());
      expect([reply.status, reply.body.code, reply.body.message]).toEqual([
        409,
        'batch_refused',
        `Conflict - an item was refused, so nothing was posted (transactions[3]: ${reason})`,
      ]);
      expect(reply.body.data.results[3].message).toBe(reason);
      expect(await balanceOf(player, strict())).toBe(0);
    });

    test('that is not atomic lets each item succeed or fail on its own', async () => {
      const player = aPlayer();
      const reply = await send(
        '/guild/transactions',
        {
          atomic: false,
          transactions: [
            item({ playerId: player }),
            item({ playerId: player, amount: -6 }),
            item({ playerId: player, source: '' }),
            item({ playerId: player, amount: -5 }),
          ],
        },
        strict(),
      );
      expect(reply.status).toBe(200);
      expect(resultsOf(reply)).toEqual([
        'posted',
        'refused insufficient_funds',
        'refused missing_fields',
        'posted',
      ]);
      expect(await balanceOf(player, strict())).toBe(0);
    });

    test.each([
      [{}, 'missing_fields'],
      [{ transactions: [] }, 'invalid_input'],
      [{ transactions: Array(101).fill({}) }, 'invalid_input'],
      [{ transactions: {} }, 'invalid_input'],
      [{ atomic: 'yes', transactions: [{}] }, 'invalid_input'],
      [[], 'invalid_input'],
    ])('with a wrong envelope is refused: %j', async (payload, code) => {
      const reply = await send('/guild/transactions', payload);
      expect([reply.status, reply.body.code]).toEqual([400, code]);
    });

    test.each<[object, string]>([
      [{ reference: '' }, 'reference'],
      [{ reference: 'x'.repeat(129) }, 'reference'],
      [{ metadata: { 'a b': '1' } }, 'metadata'],
      [{ metadata: { a: 1 } }, 'metadata.a'],
      [{ metadata: { a: 'x'.repeat(257) } }, 'metadata.a'],
      [{ metadata: { a: { b: '1' } } }, 'metadata.a'],
      [
        { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, ''])) },
        'metadata',
      ],
      [
        {
          metadata: Object.fromEntries(
            Array.from({ length: 9 }, (_, index) => [`k${index}`, 'x'.repeat(240)]),
          ),
        },
        'metadata',
      ],
      [{ idempotencyKey: 'ä' }, 'idempotencyKey'],
    ])('refuses an item with %j', async (changes, field) => {
      const reply = await send('/guild/transactions', { transactions: [item(changes)] });
      const [result] = reply.body.data.results;
      expect([reply.status, result.code]).toEqual([409, 'invalid_input']);
      expect(result.message.startsWith(`Bad request - ${field} must`)).toBe(true);
    });

    test('may be 256 KiB and no larger, and its key 252 characters', async () => {
      const transactions = Array.from({ length: 100 }, () =>
        item({ playerId: aPlayer(), name: 'n'.repeat(256) }),
      );
      const fits = await send('/guild/transactions', { transactions, padding: 'x'.repeat(200_000) });
      expect(fits.status).toBe(200);
      const large = await send('/guild/transactions', { transactions, padding: 'x'.repeat(256 * 1_024) });
      expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
      const headers = { 'idempotency-key': 'k'.repeat(253) };
      expect((await send('/guild/transactions', { transactions }, { headers })).status).toBe(400);
    });
  });
}
