import { createClient, type NewTransaction, type PostOptions } from '@guildbook/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countTransactions, type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { OTHER_GUILD_ID, STRICT_GUILD_ID, transaction } from './support/specimens.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

describe('postTransaction', () => {
  test('a deposit and a withdrawal move the balance, and each tells the new one', async () => {
    const client = place.connect();
    const deposit = await client.postTransaction(transaction({ playerId: 'mover' }));
    expect(deposit).toEqual({
      type: 'deposit',
      message: 'Transaction Posted (deposit)',
      transactionId: expect.stringMatching(UUID),
      balance: 37.5,
      balanceText: '37.5',
      replayed: false,
    });
    const withdrawal = await client.postTransaction(
      transaction({ playerId: 'mover', amount: -0.0001, quantity: 1, withdrawal: true }),
    );
    expect(withdrawal).toMatchObject({ type: 'withdrawal', balance: 37.4999, balanceText: '37.4999' });
  });

  test('a balance with more digits than a number can hold stays exact as text', async () => {
    const client = place.connect();
    await client.postTransaction(transaction({ playerId: 'rich', amount: 450_000_000_000, quantity: 2 }));
    const { balance, balanceText } = await client.postTransaction(
      transaction({ playerId: 'rich', amount: 0.0001, quantity: 3 }),
    );
    expect(balanceText).toBe('900000000000.0003');
    expect(balance).toBe(Number(balanceText));
  });

  test('each call gets a key of its own, so that two equal posts are two transactions', async () => {
    const client = place.connect();
    const first = await client.postTransaction(transaction({ playerId: 'twice' }));
    const second = await client.postTransaction(transaction({ playerId: 'twice' }));
    expect(second).toMatchObject({ balance: 75, replayed: false });
    expect(second.transactionId).not.toBe(first.transactionId);
  });

  test('the same key posts once, and the repeat says so', async () => {
    const post = () =>
      place.connect().postTransaction(transaction({ playerId: 'once' }), { idempotencyKey: 'order 1' });
    const first = await post();
    expect(await post()).toEqual({ ...first, replayed: true });
  });

  test('the same key with another transaction is a conflict, which names the key', async () => {
    const client = place.connect();
    const options = { idempotencyKey: 'order 2' };
    await client.postTransaction(transaction(), options);
    expect(await refusalOf(client.postTransaction(transaction({ quantity: 4 }), options))).toMatchObject({
      kind: 'conflict',
      status: 422,
      message: 'Unprocessable - this idempotency key was used with another request',
      idempotencyKey: 'order 2',
    });
  });

  test.each<[string, Partial<NewTransaction>, PostOptions]>([
    [
      'Explicit deposit flag conflicts with negative amount (potential exploit detected)',
      { amount: -1, deposit: true },
      {},
    ],
    ['Bad request - missing required fields', { name: ' ' }, {}],
    ['Bad request - amount must not be zero', { amount: 0 }, {}],
    ['Bad request - amount must have at most 4 decimal places', { amount: 0.00001 }, {}],
  ])('%s', async (message, changes, options) => {
    const error = await refusalOf(place.connect().postTransaction(transaction(changes), options));
    expect(error).toMatchObject({ kind: 'bad-request', status: 400, message });
  });

  test.each(['', ' edge', 'edge ', 'ü', 'line\nbreak', 'x'.repeat(256)])(
    'the idempotency key %j is refused before anything is sent',
    async (idempotencyKey) => {
      const client = place.connect({ fetch: () => Promise.reject(new Error('sent')) });
      const error = await refusalOf(client.postTransaction(transaction(), { idempotencyKey }));
      expect(error).toMatchObject({ kind: 'bad-request', status: undefined });
    },
  );

  test('a withdrawal that the balance does not cover is an overdraft, and takes nothing', async () => {
    const client = place.connect({}, { guildId: STRICT_GUILD_ID });
    await client.postTransaction(transaction({ amount: 10, quantity: 1 }));
    const before = countTransactions(place.file);
    expect(await refusalOf(client.postTransaction(transaction({ amount: -11, quantity: 1 })))).toMatchObject({
      kind: 'overdraft',
      status: 400,
      message: 'Bad request - the balance does not cover this withdrawal',
    });
    expect(countTransactions(place.file)).toBe(before);
  });

  test('a body beyond the limit is a bad request', async () => {
    const error = await refusalOf(place.connect().postTransaction(transaction({ name: 'x'.repeat(20_000) })));
    expect(error).toMatchObject({ kind: 'bad-request', status: 413, message: 'Payload too large' });
  });

  test('a wrong key is unauthorized, a missing scope forbidden', async () => {
    const stranger = createClient({ baseUrl: place.address, apiKey: 'gbk_wrong' });
    expect(await refusalOf(stranger.postTransaction(transaction()))).toMatchObject({
      kind: 'unauthorized',
      status: 401,
    });
    const reader = place.connect({}, { scopes: ['guild:read'] });
    expect(await refusalOf(reader.postTransaction(transaction()))).toMatchObject({
      kind: 'forbidden',
      status: 403,
      message: 'Forbidden - missing required scope: guild:write',
    });
  });
});

describe('listTransactions', () => {
  test('gives one page and where it stands', async () => {
    const client = place.connect();
    for (const [amount, source] of [
      [5, 'shop'],
      [-2, 'shop'],
      [3, 'quest'],
    ] as const) {
      await client.postTransaction(transaction({ playerId: 'lister', amount, quantity: 2, source }));
    }
    const { transactions, pagination } = await client.listTransactions('lister', { limit: 2 });
    expect(transactions.map(({ amount }) => amount)).toEqual([3, -2]);
    expect(transactions[0]).toEqual({
      transactionId: expect.stringMatching(UUID),
      amount: 3,
      quantity: 2,
      name: 'Iron Ingot',
      source: 'quest',
      total: 6,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });

    const filtered = await client.listTransactions('lister', {
      from: 'shop',
      maxAmount: 0,
      sortBy: 'total',
      sortOrder: 'asc',
      page: 1,
      minAmount: undefined,
    });
    expect(filtered.transactions.map(({ total }) => total)).toEqual([-4]);
  });

  test('another guild sees nothing of it', async () => {
    const stranger = place.connect({}, { guildId: OTHER_GUILD_ID });
    expect(await stranger.listTransactions('lister')).toEqual({
      transactions: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
    });
  });

  test('a page size out of range is a bad request', async () => {
    const error = await refusalOf(place.connect().listTransactions('lister', { limit: 101 }));
    expect(error).toMatchObject({ kind: 'bad-request', status: 400 });
    expect(error.message).toContain('limit');
  });

  test('an empty player id is a bad request', async () => {
    expect(await refusalOf(place.connect().listTransactions(''))).toMatchObject({ kind: 'bad-request' });
  });
});
