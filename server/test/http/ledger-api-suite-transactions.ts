import { describe, expect, test } from 'vitest';
import { type LedgerApi, UUID } from './ledger-api-service.ts';

/** Transactions as they are read: singly, in the history and in the feed. */
export function describeTransactions(api: LedgerApi): void {
  const { aPlayer, keyOfNewGuild, get, item, strict, postOne } = api;

  describe('a transaction', () => {
    test('is shown with everything known of it', async () => {
      const player = aPlayer();
      const id = await postOne({
        playerId: player,
        amount: -2.5,
        quantity: 2,
        reference: 'order 7',
        metadata: { z: 'last', a: 'ä"' },
      });
      const { data } = (await get(`/guild/transactions/${id}`)).body;
      expect(data.transaction).toEqual({
        transactionId: id,
        amount: -2.5,
        quantity: 2,
        name: 'Iron',
        source: 'shop',
        total: -5,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        playerId: player,
        number: expect.any(Number),
        balanceAfter: -5,
        type: 'withdrawal',
        reverses: null,
        reversedBy: null,
        paymentId: null,
        reference: 'order 7',
        metadata: { a: 'ä"', z: 'last' },
        postedBy: { kind: 'key', id: expect.stringMatching(UUID), name: 'test' },
      });
      const other = await get(`/guild/transactions/${id}`, strict());
      expect([other.status, other.body]).toEqual([
        404,
        { success: false, message: 'Transaction not found', code: 'transaction_not_found' },
      ]);
      expect((await get('/guild/transactions/no-uuid')).body.code).toBe('transaction_not_found');
      expect((await get('/guild/transactions/')).body.code).toBe('missing_parameters');
    });

    test('of the post of the interface knows no reference, even where one was sent', async () => {
      const reply = await api.service.ask({
        method: 'POST',
        url: '/guild/ledger',
        payload: item({ playerId: aPlayer(), reference: 'x', metadata: 5 }),
      });
      expect(reply.status).toBe(200);
      const { data } = (await get(`/guild/transactions/${reply.headers['transaction-id']}`)).body;
      expect([data.transaction.reference, data.transaction.metadata]).toEqual([null, null]);
    });
  });

  describe('the history', () => {
    test('is listed newest first, with filters and cursors', async () => {
      const key = await keyOfNewGuild();
      const names = ['Iron', 'iron bar', 'Salt', 'Ore', 'Iron'];
      for (const [index, name] of names.entries()) {
        await postOne(
          { playerId: index % 2 === 0 ? 'p' : 'q', name, amount: index + 1, reference: `r${index % 2}` },
          { key },
        );
      }
      const listed = async (query: string) => {
        const numbers: number[] = [];
        let cursor = '';
        do {
          const { data } = (await get(`/guild/transactions?${query}${cursor}`, { key })).body;
          numbers.push(...data.transactions.map(({ number }: { number: number }) => number));
          cursor = data.nextCursor === null ? '' : `&cursor=${data.nextCursor}`;
        } while (cursor !== '');
        return numbers;
      };
      expect(await listed('limit=2')).toEqual([5, 4, 3, 2, 1]);
      expect(await listed('limit=1&playerId=p')).toEqual([5, 3, 1]);
      expect(await listed('search=iron')).toEqual([5, 2, 1]);
      expect(await listed('reference=r1&limit=1')).toEqual([4, 2]);
      expect(await listed('from=shop&minAmount=2&maxAmount=4')).toEqual([4, 3, 2]);
      const { transactions } = (await get('/guild/transactions', { key })).body.data;
      const [since, until] = [transactions[3].createdAt, transactions[1].createdAt];
      expect(await listed(`since=${since}&until=${until}`)).toEqual([3, 2]);
      const { nextCursor } = (await get('/guild/transactions?limit=1', { key })).body.data;
      const mismatch = await get(`/guild/transactions?limit=1&playerId=p&cursor=${nextCursor}`, { key });
      expect([mismatch.status, mismatch.body.code]).toEqual([400, 'cursor_mismatch']);
    });

    test.each([
      'limit=0',
      'limit=101',
      'cursor=nonsense',
      'minAmount=-1',
      'minAmount=3&maxAmount=2',
      'since=2026-01-01',
      'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
      'search=',
      `reference=${'x'.repeat(129)}`,
    ])('with "%s" is refused', async (query) => {
      const reply = await get(`/guild/transactions?${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
    });
  });

  describe('the feed', () => {
    test('goes on behind the last number seen', async () => {
      const key = await keyOfNewGuild();
      for (const name of ['a', 'b', 'c']) {
        await postOne({ name }, { key });
      }
      const read = async (query: string) =>
        (await get(`/guild/feed${query}`, { key })).body.data.transactions.map(
          ({ number, name }: { number: number; name: string }) => `${number}${name}`,
        );
      expect(await read('')).toEqual(['1a', '2b', '3c']);
      expect(await read('?after=1&limit=1')).toEqual(['2b']);
      expect(await read('?after=3')).toEqual([]);
    });

    test.each(['after=-1', 'after=x', 'limit=0', 'limit=1001'])('with "%s" is refused', async (query) => {
      const reply = await get(`/guild/feed?${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
    });
  });
}
