import { describe, expect, test } from 'vitest';
import { GUILD_ID } from './filled-service.ts';
import { type LedgerApi, UNKNOWN_ID } from './ledger-api-service.ts';

/** The routes of the ledger beyond the six of the interface, each with a request that succeeds. */
const ROUTES = [
  { name: 'account', method: 'GET', url: '/guild/accounts/nobody', scope: 'guild:read' },
  { name: 'accounts', method: 'GET', url: '/guild/accounts', scope: 'guild:read' },
  { name: 'history', method: 'GET', url: '/guild/transactions', scope: 'guild:read' },
  { name: 'feed', method: 'GET', url: '/guild/feed', scope: 'guild:read' },
  {
    name: 'transaction',
    method: 'GET',
    url: `/guild/transactions/${UNKNOWN_ID}`,
    scope: 'guild:read',
    status: 404,
  },
  {
    name: 'batch',
    method: 'POST',
    url: '/guild/transactions',
    scope: 'guild:write',
    payload: { transactions: [{ playerId: 'p', name: 'n', quantity: 1, amount: 1, source: 's' }] },
  },
  {
    name: 'reversal',
    method: 'POST',
    url: `/guild/transactions/${UNKNOWN_ID}/reversal`,
    scope: 'guild:write',
    payload: {},
    status: 404,
  },
  {
    name: 'reversals',
    method: 'POST',
    url: '/guild/reversals',
    scope: 'guild:write',
    payload: { transactionIds: [UNKNOWN_ID] },
    status: 404,
  },
  {
    name: 'payment',
    method: 'POST',
    url: '/guild/payments',
    scope: 'guild:write',
    payload: { fromPlayerId: 'p', toPlayerId: 'q', amount: 1, name: 'n', source: 's' },
  },
] as const;

/** Keys, scopes, limits and methods of the routes. */
export function describeLedgerAccess(api: LedgerApi): void {
  describe('access', () => {
    test.each(ROUTES)('$name answers a key with its scope, and no other', async (route) => {
      const { method, url, scope } = route;
      const payload = 'payload' in route ? { payload: route.payload } : {};
      const ask = (key: string | undefined) => api.service.ask({ method, url, key, ...payload });
      expect((await ask(api.service.key)).status).toBe('status' in route ? route.status : 200);
      const wrong = (await api.service.addKey(GUILD_ID, ['users:read'])).value;
      expect((await ask(wrong)).body).toEqual({
        success: false,
        message: `Forbidden - missing required scope: ${scope}`,
        code: 'missing_scope',
      });
      const missing = await ask(undefined);
      expect([missing.status, missing.body]).toEqual([
        401,
        { success: false, message: 'Unauthorized - invalid API key', code: 'unauthorized' },
      ]);
    });

    test.each(ROUTES)('$name has a limit of ten a second of its own', async (route) => {
      const { method, url } = route;
      const payload = 'payload' in route ? { payload: route.payload } : {};
      const key = (await api.service.addKey(GUILD_ID)).value;
      const replies = [];
      for (let count = 0; count < 11; count += 1) {
        replies.push(await api.service.send({ method, url, key, ...payload }));
      }
      expect(replies.map(({ status }) => status === 429)).toEqual([...Array(10).fill(false), true]);
      expect(replies[0]?.headers['x-ratelimit-limit']).toBe('10');
      expect(replies[10]?.body.code).toBe('rate_limited');
      expect(replies[10]?.headers['retry-after']).toMatch(/^[12]$/);
    });

    test('a wrong method is answered in the same shape', async () => {
      const reply = await api.service.ask({ method: 'DELETE', url: '/guild/payments' });
      expect([reply.status, reply.body.code, reply.headers.allow]).toEqual([
        405,
        'method_not_allowed',
        'POST',
      ]);
    });
  });
}
