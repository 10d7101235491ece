import { afterAll, beforeAll, expect, test } from 'vitest';
import { GuildbookError } from '../src/index.ts';
import { type Place, startPlace } from './support/place.ts';
import { STRICT_GUILD_ID } from './support/specimens.ts';

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

const item = (changes: object = {}) => ({
  playerId: 'p',
  name: 'Iron',
  quantity: 1,
  amount: 5,
  source: 'shop',
  ...changes,
});

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const one of items) {
    all.push(one);
  }
  return all;
}

test('a batch is posted once, and walked through by history, feed and leaderboard', async () => {
  const guildbook = place.connect();
  const items = Array.from({ length: 5 }, (_, index) =>
    item({
      playerId: `a,${index}`,
      amount: index + 1,
      reference: 'order 1',
      metadata: { index: `${index}` },
    }),
  );
  const results = await guildbook.postBatch(items, { idempotencyKey: 'batch 1' });
  expect(results.map(({ status, balance }) => [status, balance])).toEqual(
    [1, 2, 3, 4, 5].map((balance) => ['posted', balance]),
  );
  const again = await guildbook.postBatch(items, { idempotencyKey: 'batch 1' });
  expect(again.map(({ status }) => status)).toEqual(Array(5).fill('replayed'));
  const history = await gather(guildbook.history({ limit: 2, reference: 'order 1' }));
  expect(history.map(({ amount }) => amount)).toEqual([5, 4, 3, 2, 1]);
  const first = history.at(-1)?.number ?? 0;
  const feed = await gather(guildbook.feed({ after: first - 1, limit: 2 }));
  expect(feed.slice(0, 5)).toEqual(history.toReversed());
  const ranked = await gather(guildbook.accounts({ limit: 2, sortOrder: 'asc' }));
  expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map((_, index) => index + 1));
  const named = await guildbook.getAccounts(['a,4', 'a,0']);
  expect(named.map(({ playerId, balance }) => [playerId, balance])).toEqual([
    ['a,4', 5],
    ['a,0', 1],
  ]);
  expect(await guildbook.getAccount('a,1')).toMatchObject({ balance: 2, transactionCount: 1 });
  expect(await guildbook.getAccount('a,1', { at: '2000-01-01T00:00:00Z' })).toMatchObject({ balance: 0 });
});

test('a reversal is linked, and refused the second time with the first one’s id', async () => {
  const guildbook = place.connect();
  const [posted] = await guildbook.postBatch([item({ playerId: 'undone' })]);
  const id = posted?.transactionId ?? '';
  const { transaction, reversed, replayed } = await guildbook.reverse(id, { reason: 'Paid twice' });
  expect([transaction.reverses, reversed.reversedBy, replayed]).toEqual([
    id,
    transaction.transactionId,
    false,
  ]);
  expect(await guildbook.getTransaction(id)).toEqual(reversed);
  const second = await guildbook.reverse(id).catch((error: unknown) => error);
  expect(second).toBeInstanceOf(GuildbookError);
  expect(second).toMatchObject({
    kind: 'conflict',
    code: 'already_reversed',
    data: { transactionId: transaction.transactionId },
  });
});

test('a refused batch tells what became of each item, a payment that is not covered is an overdraft', async () => {
  const guildbook = place.connect({}, { guildId: STRICT_GUILD_ID });
  const refused = guildbook.postBatch([item({ playerId: 'poor' }), item({ playerId: 'poor', amount: -6 })]);
  await expect(refused).rejects.toMatchObject({
    kind: 'conflict',
    code: 'batch_refused',
    data: { results: [{ status: 'skipped' }, { status: 'refused', code: 'insufficient_funds' }] },
  });
  const each = await guildbook.postBatch(
    [item({ playerId: 'poor' }), item({ playerId: 'poor', amount: -6 })],
    {
      atomic: false,
    },
  );
  expect(each.map(({ status }) => status)).toEqual(['posted', 'refused']);
  const payment = { fromPlayerId: 'poor', toPlayerId: 'rich', amount: 6, name: 'n', source: 's' };
  await expect(guildbook.pay(payment)).rejects.toMatchObject({ kind: 'overdraft' });
  const paid = await guildbook.pay({ ...payment, amount: 5 }, { idempotencyKey: 'pay 1' });
  expect([paid.from.balance, paid.to.balance]).toEqual([0, 5]);
  expect(await guildbook.pay({ ...payment, amount: 5 }, { idempotencyKey: 'pay 1' })).toEqual({
    ...paid,
    replayed: true,
  });
  const undone = await guildbook.reverseAll([paid.from.transactionId, paid.to.transactionId]);
  expect(undone.map(({ balanceAfter }) => balanceAfter)).toEqual([5, 0]);
});
