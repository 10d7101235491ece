import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactionBody } from '../support/service.ts';
import {
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  KEY_FAULTS,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

const MISSING = errorText('Bad request - missing required parameters');

let service: FilledService;
/** The ids of the 25 transactions of the player `regular`, oldest first. */
const postedIds: unknown[] = [];

beforeAll(async () => {
  service = await startFilledService();
  for (let amount = 1; amount <= 25; amount += 1) {
    const reply = await post({ playerId: 'regular', amount });
    postedIds.push(reply.headers['transaction-id']);
  }
});
afterAll(() => service.stop());

const post = (changes: Record<string, unknown>, key = service.key) =>
  service.ask({ method: 'POST', url: '/guild/ledger', key, payload: transactionBody(changes) });

const list = (playerId: string, query = '', key = service.key) =>
  service.ask({ method: 'GET', url: `/guild/ledger/${playerId}/transactions${query}`, key });

const idsOf = (reply: Awaited<ReturnType<typeof list>>) =>
  reply.body.data.transactions.map(({ transactionId }: { transactionId: string }) => transactionId);

test('a page is answered to the letter', async () => {
  const first = await post({ playerId: 'letter', amount: 12.5, quantity: 3 });
  const firstTime = new Date(service.clock.nowMs()).toISOString();
  const second = await post({
    playerId: 'letter',
    amount: -0.1,
    quantity: 1,
    name: 'Tax "A"',
    source: 'état',
  });
  const secondTime = new Date(service.clock.nowMs()).toISOString();

  const reply = await list('letter');
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.text).toBe(
    '{"success":true,"data":{"playerId":"letter","transactions":[' +
      `{"transactionId":"${second.headers['transaction-id']}","amount":-0.1,"quantity":1,` +
      `"name":"Tax \\"A\\"","source":"état","total":-0.1,"createdAt":"${secondTime}"},` +
      `{"transactionId":"${first.headers['transaction-id']}","amount":12.5,"quantity":3,` +
      `"name":"Iron Ingot","source":"shop","total":37.5,"createdAt":"${firstTime}"}` +
      ']},"pagination":{"page":1,"limit":20,"total":2,"totalPages":1}}',
  );
});

test('without parameters the first page holds the newest twenty', async () => {
  const reply = await list('regular');
  expect(idsOf(reply)).toEqual(postedIds.toReversed().slice(0, 20));
  expect(reply.body.pagination).toEqual({ page: 1, limit: 20, total: 25, totalPages: 2 });
});

test.each([
  ['?page=2', 5, { page: 2, limit: 20, total: 25, totalPages: 2 }],
  ['?limit=1', 1, { page: 1, limit: 1, total: 25, totalPages: 25 }],
  ['?limit=100', 25, { page: 1, limit: 100, total: 25, totalPages: 1 }],
  ['?limit=25', 25, { page: 1, limit: 25, total: 25, totalPages: 1 }],
  ['?limit=24&page=2', 1, { page: 2, limit: 24, total: 25, totalPages: 2 }],
  ['?page=3', 0, { page: 3, limit: 20, total: 25, totalPages: 2 }],
  ['?page=9007199254740991&limit=100', 0, { page: 9007199254740991, limit: 100, total: 25, totalPages: 1 }],
  [
    '?page=9007199254740991&sortBy=amount',
    0,
    { page: 9007199254740991, limit: 20, total: 25, totalPages: 2 },
  ],
])('the page %s holds %i transactions', async (query, length, pagination) => {
  const reply = await list('regular', query);
  expect(reply.status).toBe(200);
  expect(reply.body.data.transactions).toHaveLength(length);
  expect(reply.body.pagination).toEqual(pagination);
});

test.each(['', '&sortBy=amount', '&sortBy=quantity', '&sortBy=total', '&from=shop', '&sortOrder=asc'])(
  'pages neither overlap nor skip: %s',
  async (query) => {
    const seen: string[] = [];
    for (let page = 1; page <= 4; page += 1) {
      seen.push(...idsOf(await list('regular', `?limit=7&page=${page}${query}`)));
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen)).toEqual(new Set(postedIds));
  },
);

test('a player without transactions has an empty list and no pages', async () => {
  const reply = await list('nobody');
  expect(reply.status).toBe(200);
  expect(reply.text).toBe(
    '{"success":true,"data":{"playerId":"nobody","transactions":[]},' +
      '"pagination":{"page":1,"limit":20,"total":0,"totalPages":0}}',
  );
});

test("another guild's player is listed exactly as an unknown one", async () => {
  const foreign = await list('regular', '', service.otherKey);
  const absent = await list('nobody', '', service.otherKey);
  expect(foreign.status).toBe(200);
  expect(foreign.text).toBe(absent.text.replace('nobody', 'regular'));
});

test('the player is answered as asked for, whatever characters the id has', async () => {
  for (const playerId of ['a/b', '100%', 'a "b" \\ c', '日本🦊', '__proto__', 'transactions']) {
    await post({ playerId });
    const reply = await list(encodeURIComponent(playerId));
    expect(reply.body.data.playerId).toBe(playerId);
    expect(reply.body.pagination.total).toBe(1);
  }
});

test('the largest amounts and totals are written to their last digit', async () => {
  await post({ playerId: 'large', amount: 549_755_813_887.9999, quantity: 1 });
  await post({ playerId: 'large', amount: -549_755_813_887.9999, quantity: 1 });
  await post({ playerId: 'large', amount: 141_600_365.5831, quantity: 6_361 });
  // As doubles, this total and 900719925470.0002 are one number.
  await post({ playerId: 'larger', amount: 0.0001, quantity: 9_007_199_254_700_003 });
  expect((await list('larger')).text).toContain('"quantity":9007199254700003,');
  expect((await list('larger')).text).toContain('"total":900719925470.0003,');
  const { text } = await list('large', '?sortOrder=asc');
  expect(text).toContain('"amount":549755813887.9999,"quantity":1');
  expect(text).toContain('"total":549755813887.9999,');
  expect(text).toContain('"amount":-549755813887.9999,"quantity":1');
  expect(text).toContain('"amount":141600365.5831,"quantity":6361');
  expect(text).toContain('"total":900719925474.0991,');
});

test('small amounts are written as decimals, never in powers of ten or as a negative zero', async () => {
  await post({ playerId: 'small', amount: 0.0001, quantity: 1 });
  await post({ playerId: 'small', amount: -0.0003, quantity: 10_000 });
  const { text } = await list('small', '?sortOrder=asc');
  expect(text).toContain('"amount":0.0001,"quantity":1,');
  expect(text).toContain('"total":0.0001,');
  expect(text).toContain('"amount":-0.0003,"quantity":10000,');
  expect(text).toContain('"total":-3,');
});

test.each([
  '/guild/ledger//transactions',
  '/guild/ledger/%20/transactions',
  '/guild/ledger/%E2%80%83/transactions',
  '/guild/ledger/transactions',
  '/guild/ledger//transactions?page=0',
])('%s lacks its parameter', async (url) => {
  expectRefusal(await service.ask({ method: 'GET', url }), 400, MISSING);
});

test.each(['/guild/ledger//transactions', '/guild/ledger/%20/transactions', '/guild/ledger/transactions'])(
  '%s without a key is refused for the key',
  async (url) => {
    const reply = await service.ask({ method: 'GET', url, key: undefined });
    expectRefusal(reply, 401, errorText('Unauthorized - invalid API key'));
  },
);

test.each(KEY_FAULTS)('a key that is %s is refused like any other', async (fault) => {
  const key = await makeFaultyKey(service, fault);
  const url = '/guild/ledger/regular/transactions';
  const reply = await service.ask({ method: 'GET', url, key });
  expectRefusal(reply, 401, errorText('Unauthorized - invalid API key'));
});

test('a key without guild:read is refused, whatever else is wrong', async () => {
  const { value } = await service.addKey(GUILD_ID, ['guild:write', 'users:read']);
  for (const query of ['?page=0', '?limit=1000']) {
    const reply = await list('regular', query, value);
    expectRefusal(reply, 403, errorText('Forbidden - missing required scope: guild:read'));
  }
});
