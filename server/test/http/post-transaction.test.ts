import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactionBody } from '../support/service.ts';
import {
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  OTHER_GUILD_ID,
  startFilledService,
} from './filled-service.ts';

const DEPOSITED = '{"success":true,"message":"Transaction Posted (deposit)","type":"deposit"}';
const WITHDRAWN = '{"success":true,"message":"Transaction Posted (withdrawal)","type":"withdrawal"}';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DEPOSIT_CONFLICT = errorText(
  'Explicit deposit flag conflicts with negative amount (potential exploit detected)',
);
const WITHDRAWAL_CONFLICT = errorText(
  'Explicit withdrawal flag conflicts with positive amount (potential exploit detected)',
);

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

const post = (changes: Record<string, unknown> = {}, key: string | undefined = service.key) =>
  service.ask({ method: 'POST', url: '/guild/ledger', key, payload: transactionBody(changes) });

const list = async (playerId: string, key = service.key) =>
  (await service.ask({ method: 'GET', url: `/guild/ledger/${playerId}/transactions`, key })).body;

test('a deposit is posted and answered to the letter', async () => {
  const reply = await post();
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.text).toBe(DEPOSITED);
});

test('a withdrawal is posted and answered to the letter', async () => {
  const reply = await post({ amount: -12.5 });
  expect(reply.status).toBe(200);
  expect(reply.text).toBe(WITHDRAWN);
});

test('an answered post is listed with everything it stated', async () => {
  const reply = await post({ playerId: 'listed', name: 'Oak “Plank” 🪵', amount: -0.75, quantity: 4 });
  const createdAt = new Date(service.clock.nowMs()).toISOString();
  expect((await list('listed')).data.transactions).toEqual([
    {
      transactionId: reply.headers['transaction-id'],
      amount: -0.75,
      quantity: 4,
      name: 'Oak “Plank” 🪵',
      source: 'shop',
      total: -3,
      createdAt,
    },
  ]);
});

test('the answer names the transaction by a UUID of version 7, a new one each time', async () => {
  const ids = [await post(), await post()].map(({ headers }) => headers['transaction-id']);
  expect(ids[0]).toMatch(UUID_V7);
  expect(ids[1]).toMatch(UUID_V7);
  expect(ids[0]).not.toBe(ids[1]);
});

test('the answer states the balance as an exact decimal', async () => {
  const steps: [amount: number, quantity: number, balance: string][] = [
    [0.1, 1, '0.1'],
    [0.2, 1, '0.3'],
    [0.0001, 3, '0.3003'],
    [1_000_000, 1, '1000000.3003'],
    [-1_000_000.3003, 1, '0'],
    [-2.5, 2, '-5'],
    [-0.0001, 1, '-5.0001'],
  ];
  for (const [amount, quantity, balance] of steps) {
    const reply = await post({ playerId: 'exact', amount, quantity });
    expect(reply.headers['account-balance']).toBe(balance);
  }
});

test('a balance between two doubles is stated as it is', async () => {
  const between = { playerId: 'between', amount: 0.0001, quantity: 9_007_199_254_700_003 };
  expect((await post(between)).headers['account-balance']).toBe('900719925470.0003');
  const step = { playerId: 'between', amount: -0.0001, quantity: 1 };
  expect((await post(step)).headers['account-balance']).toBe('900719925470.0002');
});

test('the largest balance is stated to its last digit, and nothing fits above it', async () => {
  // 141600365.5831 x 6361 = 900719925474.0991, the largest count of ten-thousandths kept exactly.
  const largest = { playerId: 'rich', amount: 141_600_365.5831, quantity: 6_361 };
  expect((await post(largest)).headers['account-balance']).toBe('900719925474.0991');
  const refusal = errorText('Bad request - the balance would be out of range');
  expectRefusal(await post({ playerId: 'rich', amount: 0.0001, quantity: 1 }), 400, refusal);
  expect((await list('rich')).pagination.total).toBe(1);

  const lowest = { playerId: 'poor', amount: -141_600_365.5831, quantity: 6_361 };
  expect((await post(lowest)).headers['account-balance']).toBe('-900719925474.0991');
  expectRefusal(await post({ playerId: 'poor', amount: -0.0001, quantity: 1 }), 400, refusal);
});

test.each([
  [{ deposit: true, amount: 1 }, DEPOSITED],
  [{ deposit: false, amount: 1 }, DEPOSITED],
  [{ withdrawal: false, amount: 1 }, DEPOSITED],
  [{ deposit: true, withdrawal: false, amount: 1 }, DEPOSITED],
  [{ deposit: false, withdrawal: false, amount: 1 }, DEPOSITED],
  [{ withdrawal: true, amount: -1 }, WITHDRAWN],
  [{ withdrawal: false, amount: -1 }, WITHDRAWN],
  [{ deposit: false, amount: -1 }, WITHDRAWN],
  [{ deposit: false, withdrawal: true, amount: -1 }, WITHDRAWN],
])('flags that agree with the sign, or assert nothing, change nothing: %j', async (changes, answer) => {
  const reply = await post(changes);
  expect(reply.status).toBe(200);
  expect(reply.text).toBe(answer);
});

test.each([
  [{ deposit: true, amount: -1 }, DEPOSIT_CONFLICT],
  [{ deposit: true, withdrawal: false, amount: -0.0001 }, DEPOSIT_CONFLICT],
  [{ withdrawal: true, amount: 1 }, WITHDRAWAL_CONFLICT],
  [{ withdrawal: true, deposit: false, amount: 0.0001 }, WITHDRAWAL_CONFLICT],
])('a flag that contradicts the sign is refused as an exploit: %j', async (changes, refusal) => {
  const before = service.countStored();
  expectRefusal(await post(changes), 400, refusal);
  expect(service.countStored()).toBe(before);
});

test('both flags together always contradict one of the two signs', async () => {
  const both = { deposit: true, withdrawal: true };
  expectRefusal(await post({ ...both, amount: 1 }), 400, WITHDRAWAL_CONFLICT);
  expectRefusal(await post({ ...both, amount: -1 }), 400, DEPOSIT_CONFLICT);
});

test('an amount of zero is refused before the flags are looked at', async () => {
  const refusal = errorText('Bad request - amount must not be zero');
  for (const flags of [{}, { deposit: true }, { withdrawal: true }, { deposit: true, withdrawal: true }]) {
    expectRefusal(await post({ ...flags, amount: 0 }), 400, refusal);
  }
});

test('a balance may go below zero, unless the guild forbids it', async () => {
  expect((await post({ playerId: 'debtor', amount: -5, quantity: 1 })).headers['account-balance']).toBe('-5');

  await service.addGuild('strict', { overdraftAllowed: false });
  const { value } = await service.addKey('strict');
  const refusal = errorText('Bad request - the balance does not cover this withdrawal');
  const move = (amount: number) => post({ playerId: 'careful', amount, quantity: 1 }, value);

  expectRefusal(await move(-0.0001), 400, refusal);
  expect((await list('careful', value)).pagination.total).toBe(0);
  expect((await move(10)).headers['account-balance']).toBe('10');
  expectRefusal(await move(-10.0001), 400, refusal);
  expect((await move(-10)).headers['account-balance']).toBe('0');
  expect((await list('careful', value)).pagination.total).toBe(2);
});

test('a debt made while it was allowed can be paid back after it was forbidden', async () => {
  await service.addGuild('turned-strict');
  const { value } = await service.addKey('turned-strict');
  const move = (amount: number) => post({ playerId: 'debtor', amount, quantity: 1 }, value);
  expect((await move(-10)).headers['account-balance']).toBe('-10');
  await service.addGuild('turned-strict', { overdraftAllowed: false });
  expect((await move(4)).headers['account-balance']).toBe('-6');
  expect((await move(-1)).status).toBe(400);
});

test('each guild keeps its own account of a player', async () => {
  await post({ playerId: 'shared', amount: 7, quantity: 1 });
  const theirs = await post({ playerId: 'shared', amount: 1, quantity: 1 }, service.otherKey);
  expect(theirs.headers['account-balance']).toBe('1');
  expect((await list('shared')).data.transactions).toMatchObject([{ amount: 7 }]);
  expect((await list('shared', service.otherKey)).data.transactions).toMatchObject([{ amount: 1 }]);
});

test('posts that arrive together are all kept, each with its own balance', async () => {
  service.clock.advance(1_001);
  const send = () =>
    service.send({
      method: 'POST',
      url: '/guild/ledger',
      key: service.key,
      payload: transactionBody({ playerId: 'crowd', amount: 1, quantity: 1 }),
    });
  const replies = await Promise.all(Array.from({ length: 10 }, send));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const balances = replies.map(({ headers }) => Number(headers['account-balance']));
  expect(balances.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect((await list('crowd')).pagination.total).toBe(10);
});

test('a key without guild:write is refused before the body is looked at, and nothing is posted', async () => {
  const { value } = await service.addKey(GUILD_ID, ['guild:read', 'users:read']);
  const before = service.countStored();
  const refusal = errorText('Forbidden - missing required scope: guild:write');
  expectRefusal(await post({ amount: 'no number' }, value), 403, refusal);
  expect(service.countStored()).toBe(before);
});

test('a key posts to its own guild, whatever the body says', async () => {
  await post({ playerId: 'claimed', guildId: OTHER_GUILD_ID });
  expect((await list('claimed')).pagination.total).toBe(1);
  expect((await list('claimed', service.otherKey)).pagination.total).toBe(0);
});
