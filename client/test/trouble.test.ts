import type { GuildbookClient, PostedTransaction } from '@guildbook/client';
import { describe, expect, test } from 'vitest';
import { depth } from '../../server/test/support/depth.ts';
import { LONG_TEST, PATIENCE_MS, untilTrue } from '../../server/test/support/patience.ts';
import { openStoreFile, transactionNames } from '../../server/test/support/read-store.ts';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { countTransactions, type Place, startPlace } from './support/place.ts';
import { transaction } from './support/specimens.ts';

const CLIENTS = depth({ normal: 30, deep: 100 });
const POSTS_PER_CLIENT = 10;
const POSTS = CLIENTS * POSTS_PER_CLIENT;
const PLAYERS = 5;
const KILLS = depth({ normal: 1, deep: 4 });

/** On a busy machine a restart, or an answer, may take longer than the defaults of a call. */
const patience = { timeoutMs: LONG_TEST.timeout, attemptTimeoutMs: PATIENCE_MS, retries: 1_000 };

// Each test mostly waits, and each has a service of its own: they run side by side.
describe.concurrent('trouble', () => {
  test(
    `${POSTS} posts arrive exactly once while the service is killed ${KILLS} times`,
    LONG_TEST,
    async ({ onTestFinished }) => {
      const PORT = String(await findSparePort());
      const place = await startPlace({ PORT }, { keyCount: CLIENTS + 1 });
      onTestFinished(() => place.stop());
      let broken = 0;
      const countBroken = (error: unknown): never => {
        broken += 1;
        throw error;
      };
      const clients = Array.from({ length: CLIENTS }, () =>
        place.connect({
          ...patience,
          retries: 1_000,
          fetch: (url, init) => fetch(url, init).catch(countBroken),
        }),
      );
      const posted: PostedTransaction[] = [];
      const posting = clients.map((client, number) => postSome(client, number, posted));
      await Promise.all([...posting, killRepeatedly(place, () => posted.length)]);

      expect(broken).toBeGreaterThan(0);
      expect(new Set(posted.map(({ transactionId }) => transactionId)).size).toBe(POSTS);
      expect(countTransactions(place.file)).toBe(POSTS);
      const expected = Array.from({ length: POSTS }, (_, index) => `post ${index}`);
      expect(transactionNames(place.file)).toEqual(expected.sort());
      expect(await sumOf(place.connect())).toBe(POSTS);
    },
  );

  test('35 posts at once through one key all arrive, each exactly once', async ({ onTestFinished }) => {
    const place = await startPlace();
    onTestFinished(() => place.stop());
    let refused = 0;
    const client = place.connect({
      ...patience,
      async fetch(url, init) {
        const response = await fetch(url, init);
        refused += response.status === 429 ? 1 : 0;
        return response;
      },
    });
    const posts = Array.from({ length: 35 }, (_, index) =>
      client.postTransaction(transaction({ name: `post ${index}`, quantity: 1, amount: 1 })),
    );
    const balances = (await Promise.all(posts)).map(({ balance }) => balance);
    expect(balances.sort((a, b) => a - b)).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
    expect(countTransactions(place.file)).toBe(35);
    expect(refused).toBeGreaterThan(0);
  });

  test('a service that cannot write is asked again after the time it named', async ({ onTestFinished }) => {
    const place = await startPlace();
    onTestFinished(() => place.stop());
    // The service waits five seconds for the lock of its store before it answers 503.
    const lock = openStoreFile(place.file);
    lock.exec('BEGIN IMMEDIATE');
    const waits: number[] = [];
    const clock = {
      nowMs: () => performance.now(),
      async sleep(ms: number) {
        waits.push(ms);
        lock.close();
      },
    };
    // On a busy machine it takes longer.
    const client = place.connect({ clock, random: () => 0.5, ...patience });
    const posted = await client.postTransaction(transaction({ amount: 1, quantity: 1 }));
    expect(posted).toMatchObject({ balance: 1, replayed: false });
    expect(waits).toEqual([1_050]);
    expect(countTransactions(place.file)).toBe(1);
  });
});

/** Posts this client's share, one after the other. */
async function postSome(client: GuildbookClient, number: number, posted: PostedTransaction[]): Promise<void> {
  const first = number * POSTS_PER_CLIENT;
  for (let index = first; index < first + POSTS_PER_CLIENT; index += 1) {
    const playerId = `p${index % PLAYERS}`;
    const input = transaction({ playerId, name: `post ${index}`, quantity: 1, amount: 1 });
    posted.push(await client.postTransaction(input));
  }
}

/** Kills the service each time another part of the posts has been answered, and starts it on the same port. */
async function killRepeatedly(place: Place, answered: () => number): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await untilTrue(() => answered() >= (kill * POSTS) / (KILLS + 1));
    // Nearly every client has a post under way at this moment.
    await place.restart();
  }
}

/** The sum of all accounts, read through the interface. */
async function sumOf(client: GuildbookClient): Promise<number> {
  let sum = 0;
  for (let player = 0; player < PLAYERS; player += 1) {
    for await (const { total } of client.transactions(`p${player}`)) {
      sum += total;
    }
  }
  return sum;
}
