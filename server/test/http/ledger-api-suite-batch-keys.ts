import { describe, expect, test } from 'vitest';
import { resultsOf } from './batch-results.ts';
import type { LedgerApi } from './ledger-api-service.ts';

/** Batches with idempotency keys: repeats, and keys that were used before. */
export function describeBatchKeys(api: LedgerApi): void {
  const { aPlayer, send, item, strict, balanceOf } = api;

  describe('a batch', () => {
    test.each([true, false])('is repeated item by item with a key, atomic: %s', async (atomic) => {
      const player = aPlayer();
      const own = `own ${player}`;
      const body = {
        atomic,
        transactions: [item({ playerId: player }), item({ playerId: player, idempotencyKey: own })],
      };
      const headers = { 'idempotency-key': `batch of ${player}` };
      const first = await send('/guild/transactions', body, { headers });
      expect(resultsOf(first)).toEqual(['posted', 'posted']);
      const again = await send('/guild/transactions', body, { headers });
      expect(resultsOf(again)).toEqual(['replayed', 'replayed']);
      const idsOf = (reply: typeof first) =>
        reply.body.data.results.map((one: { transactionId: string; balance: number }) => [
          one.transactionId,
          one.balance,
        ]);
      expect(idsOf(again)).toEqual(idsOf(first));
      // The index is part of the key, and a post knows it by the same.
      const single = await api.service.ask({
        method: 'POST',
        url: '/guild/ledger',
        payload: item({ playerId: player }),
        headers: { 'idempotency-key': `batch of ${player}/0` },
      });
      expect(single.headers['idempotency-replayed']).toBe('true');
      const other = await send('/guild/transactions', {
        atomic,
        transactions: [item({ playerId: player, amount: 6, idempotencyKey: own })],
      });
      expect(resultsOf(other)).toEqual(['refused idempotency_mismatch']);
      expect(await balanceOf(player)).toBe(10);
    });

    describe.each([true, false])('with the key of an earlier one, atomic: %s', (atomic) => {
      const MISMATCH = [422, 'idempotency_mismatch'];
      const post = (transactions: object[], key: string, isAtomic = atomic) =>
        send(
          '/guild/transactions',
          { atomic: isAtomic, transactions },
          { ...strict(), headers: { 'idempotency-key': key } },
        );

      test('and more, fewer or other items is refused as a whole, and nothing is posted', async () => {
        const player = aPlayer();
        const other = aPlayer();
        const key = `batch of ${player}`;
        const items = [
          item({ playerId: player }),
          item({ playerId: player, idempotencyKey: `own ${player}` }),
        ];
        expect(resultsOf(await post(items, key))).toEqual(['posted', 'posted']);
        const [first = {}, second = {}] = items;
        for (const changed of [
          [...items, item({ playerId: other })],
          [...items, item({ playerId: other, idempotencyKey: `own ${other}` })],
          [first],
          [second, first],
          [first, { ...second, amount: 6 }],
          [first, { ...second, idempotencyKey: `own ${other}` }],
          [item({ playerId: other }), second],
          [{ ...first, reference: 'r' }, second],
        ]) {
          const { status, body } = await post(changed, key);
          expect([status, body.code]).toEqual(MISMATCH);
          expect(body.data).toBeUndefined();
        }
        const { status, body } = await post(items, key, !atomic);
        expect([status, body.code]).toEqual(MISMATCH);
        expect([await balanceOf(player, strict()), await balanceOf(other, strict())]).toEqual([10, 0]);
        expect(resultsOf(await post(items, key))).toEqual(['replayed', 'replayed']);
      });

      test('at the same moment and other items: one of them is posted, the others are refused', async () => {
        const player = aPlayer();
        const key = `race of ${player}`;
        const replies = await Promise.all(
          [1, 2, 3].map((count) =>
            post(
              Array.from({ length: count }, () => item({ playerId: player, amount: count })),
              key,
            ),
          ),
        );
        const [posted, ...more] = replies.filter(({ status }) => status === 200);
        expect(more).toEqual([]);
        const refused = replies.filter(({ status }) => status === 422);
        expect(refused).toHaveLength(2);
        const count: number = posted?.body.data.results.length ?? 0;
        expect(await balanceOf(player, strict())).toBe(count * count);
      });
    });

    test('that was refused as a whole leaves its key free for the corrected one', async () => {
      const player = aPlayer();
      const options = { ...strict(), headers: { 'idempotency-key': `corrected ${player}` } };
      const post = (...amounts: number[]) =>
        send(
          '/guild/transactions',
          { transactions: amounts.map((amount) => item({ playerId: player, amount })) },
          options,
        );
      expect((await post(5, -6)).status).toBe(409);
      expect((await post(5, 0)).status).toBe(409);
      expect(resultsOf(await post(5, -4))).toEqual(['posted', 'posted']);
      expect((await post(5, -3)).status).toBe(422);
      expect(await balanceOf(player, strict())).toBe(1);
    });

    test('that was posted in part is finished by its repeat', async () => {
      const player = aPlayer();
      const options = { ...strict(), headers: { 'idempotency-key': `part of ${player}` } };
      const body = {
        atomic: false,
        transactions: [item({ playerId: player }), item({ playerId: player, amount: -6 })],
      };
      const first = await send('/guild/transactions', body, options);
      expect(resultsOf(first)).toEqual(['posted', 'refused insufficient_funds']);
      await send('/guild/transactions', { transactions: [item({ playerId: player })] }, strict());
      const again = await send('/guild/transactions', body, options);
      expect(resultsOf(again)).toEqual(['replayed', 'posted']);
      expect(await balanceOf(player, strict())).toBe(4);
    });

    test('tells requests apart by reference and metadata, whatever the order of names', async () => {
      const player = aPlayer();
      const batch = (changes: object) =>
        send('/guild/transactions', {
          atomic: false,
          transactions: [item({ playerId: player, idempotencyKey: `k ${player}`, ...changes })],
        });
      expect(resultsOf(await batch({ metadata: { a: '1', b: '2' } }))).toEqual(['posted']);
      expect(resultsOf(await batch({ metadata: { b: '2', a: '1' } }))).toEqual(['replayed']);
      expect(resultsOf(await batch({ metadata: { a: '1' } }))).toEqual(['refused idempotency_mismatch']);
      expect(resultsOf(await batch({}))).toEqual(['refused idempotency_mismatch']);
    });
  });
}
