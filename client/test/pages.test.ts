import type { GuildbookClient, LedgerTransaction } from '@guildbook/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { transaction } from './support/specimens.ts';

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

/** Posts transactions with the quantities 1, 2, 3 ... through as many keys as the rate limit asks for. */
async function fillAccount(playerId: string, count: number, first = 1): Promise<void> {
  let client = place.connect();
  for (let index = 0; index < count; index += 1) {
    if (index % 10 === 9) {
      client = place.connect();
    }
    await client.postTransaction(transaction({ playerId, quantity: first + index }));
  }
}

async function quantitiesOf(transactions: AsyncIterable<LedgerTransaction>): Promise<number[]> {
  return (await Array.fromAsync(transactions)).map(({ quantity }) => quantity);
}

/** A client that counts what it sends. */
function connectCounted(): { client: GuildbookClient; sent: () => number } {
  let count = 0;
  const client = place.connect({
    fetch(url, init) {
      count += 1;
      return fetch(url, init);
    },
  });
  return { client, sent: () => count };
}

test('all pages come in order, as one', async () => {
  await fillAccount('walker', 23);
  const { client, sent } = connectCounted();
  const walk = client.transactions('walker', { limit: 5, sortOrder: 'asc' });
  const expected = Array.from({ length: 23 }, (_, index) => index + 1);
  expect(await quantitiesOf(walk)).toEqual(expected);
  expect(sent()).toBe(5);
  // The same object can be walked again, which sends the requests again.
  expect(await quantitiesOf(walk)).toEqual(expected);
  expect(sent()).toBe(10);
  expect(await quantitiesOf(place.connect().transactions('walker'))).toEqual(expected.toReversed());
});

test('an account without transactions ends at once, after one request', async () => {
  const { client, sent } = connectCounted();
  expect(await quantitiesOf(client.transactions('nobody'))).toEqual([]);
  expect(sent()).toBe(1);
});

test('nothing is asked for before it is needed, nor after it is not', async () => {
  await fillAccount('stroller', 6);
  const { client, sent } = connectCounted();
  const walk = client.transactions('stroller', { limit: 2 });
  expect(sent()).toBe(0);
  for await (const { quantity } of walk) {
    if (quantity === 4) {
      break;
    }
  }
  expect(sent()).toBe(2);
});

test('posts that arrive meanwhile neither repeat nor hide what was there', async () => {
  await fillAccount('busy', 9);
  const quantities: number[] = [];
  for await (const { quantity } of place.connect().transactions('busy', { limit: 3 })) {
    quantities.push(quantity);
    if (quantity === 7) {
      // Newest first: these push the rest back by more than a page.
      await fillAccount('busy', 4, 100);
    }
  }
  expect(quantities.filter((quantity) => quantity < 100)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(new Set(quantities).size).toBe(quantities.length);
});

test('what goes wrong on the way is thrown to the loop', async () => {
  const client = place.connect({}, { scopes: ['users:read'] });
  expect(await refusalOf(quantitiesOf(client.transactions('walker')))).toMatchObject({ kind: 'forbidden' });
});
