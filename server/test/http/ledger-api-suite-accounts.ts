import { describe, expect, test } from 'vitest';
import type { LedgerApi } from './ledger-api-service.ts';

/** Balances, singly and as a leaderboard. */
export function describeAccounts(api: LedgerApi): void {
  const { aPlayer, keyOfNewGuild, get, strict, postOne } = api;

  describe('an account', () => {
    test('has balance, count and last time, now and at an earlier time', async () => {
      const player = aPlayer();
      await postOne({ playerId: player, amount: 12.5 });
      const first = (await get(`/guild/accounts/${player}`)).body.data;
      await postOne({ playerId: player, amount: -0.0001, quantity: 3 });
      const url = `/guild/accounts/${encodeURIComponent(player)}`;
      const now = await get(url);
      expect(now.text).toBe(
        `{"success":true,"data":{"playerId":"${player}","balance":12.4997,"transactionCount":2,` +
          `"lastTransactionAt":"${now.body.data.lastTransactionAt}"}}`,
      );
      expect((await get(`${url}?at=${first.lastTransactionAt}`)).body.data).toEqual(first);
      expect((await get(`${url}?at=1999-01-01T00:00:00Z`)).body.data).toEqual({
        playerId: player,
        balance: 0,
        transactionCount: 0,
        lastTransactionAt: null,
      });
      expect((await get(url, strict())).body.data.transactionCount).toBe(0);
    });

    test('a wrong time and a missing player are refused', async () => {
      const reply = await get('/guild/accounts/p?at=yesterday');
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
      const blank = await get('/guild/accounts/');
      expect([blank.status, blank.body.code]).toEqual([400, 'missing_parameters']);
    });

    test('many are listed by balance with their rank, page by page', async () => {
      const key = await keyOfNewGuild();
      for (const [playerId, amount] of [
        ['a', 3],
        ['b,c', 9],
        ['d', -1],
        ['e', 3],
      ] as const) {
        await postOne({ playerId, amount }, { key });
      }
      const ranked: [number, string][] = [];
      let cursor = '';
      for (;;) {
        const { data } = (await get(`/guild/accounts?limit=3${cursor}`, { key })).body;
        ranked.push(
          ...data.accounts.map((one: { rank: number; playerId: string }) => [one.rank, one.playerId]),
        );
        if (data.nextCursor === null) {
          break;
        }
        cursor = `&cursor=${data.nextCursor}`;
      }
      expect(ranked).toEqual([
        [1, 'b,c'],
        [2, 'e'],
        [3, 'a'],
        [4, 'd'],
      ]);
      const mismatch = await get(`/guild/accounts?limit=3&sortOrder=asc${cursor}`, { key });
      expect([mismatch.status, mismatch.body.code]).toEqual([400, 'cursor_mismatch']);
      const named = await get('/guild/accounts?playerIds=e,b%2Cc,nobody', { key });
      expect(named.body.data).toEqual({
        accounts: [
          expect.objectContaining({ rank: null, playerId: 'e', balance: 3 }),
          expect.objectContaining({ rank: null, playerId: 'b,c', balance: 9 }),
          { rank: null, playerId: 'nobody', balance: 0, transactionCount: 0, lastTransactionAt: null },
        ],
        nextCursor: null,
      });
    });

    test.each([
      'limit=0',
      'limit=101',
      'sortOrder=up',
      'cursor=x',
      'cursor=',
      'playerIds=',
      'playerIds=a,,b',
      'playerIds=a&playerIds=b',
      `playerIds=${Array(101).fill('a').join()}`,
      'playerIds=a&cursor=x',
    ])('a list with "%s" is refused', async (query) => {
      const reply = await get(`/guild/accounts?${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
    });
  });
}
