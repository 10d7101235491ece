import { DatabaseSync } from 'node:sqlite';
import type { GuildbookClient, PostedTransaction } from '@guildbook/client';
import { describe, expect, test } from 'vitest';
import { findQuietPort } from './support/gateway.ts';
import { countTransactions, type Place, startPlace } from './support/place.ts';
import { transaction } from './support/specimens.ts';

const CLIENTS = 100;
const POSTS_PER_CLIENT = 10;
const POSTS = CLIENTS * POSTS_PER_CLIENT;
const PLAYERS = 5;
const KILLS = 4;

// Each test mostly waits, and each has a service of its own: they run side by side.
describe.concurrent('trouble', () => {
  test(`${POSTS} posts arrive exactly once while the service is killed ${KILLS} times`, {
    timeout: 90_000,
  }, async ({ onTestFinished }) => {
    const place = await startPlace({ PORT: await findQuietPort() }, { keyCount: CLIENTS + 1 });
    onTestFinished(() => place.stop());
    let broken = 0;
    const countBroken = (error: unknown): never => {
      broken += 1;
      throw error;
    };
    // On a slow machine a restart may take longer than the default of a call.
    const patience = { timeoutMs: 60_000, retries: 50 };
    const clients = Array.from({ length: CLIENTS }, () =>
      place.connect({ ...patience, fetch: (url, init) => fetch(url, init).catch(countBroken) }),
    );
    const posted: PostedTransaction[] = [];
    const posting = clients.map((client, number) => postSome(client, number, posted));
    await Promise.all([...posting, killRepeatedly(place, () => posted.length)]);

    expect(broken).toBeGreaterThan(0);
    expect(new Set(posted.map(({ transactionId }) => transactionId)).size).toBe(POSTS);
    expect(countTransactions(place.file)).toBe(POSTS);
    const expected = Array.from({ length: POSTS }, (_, index) => `post ${index}`);
    expect(readNames(place.file)).toEqual(expected.sort());
    expect(await sumOf(place.connect())).toBe(POSTS);
  });

  test('35 posts at once through one key all arrive, each exactly once', async ({ onTestFinished }) => {
    const place = await startPlace();
    onTestFinished(() => place.stop());
    let refused = 0;
    const client = place.connect({
      async fetch(url, init) {
        const response = await fetch(url, init);
        refused += response.status === 429 ? 1 : 0;
        return response;
      },
    });
    const posts = Array.from({ length: 35 }, (_, index) =>
      client.postTransaction(transaction({ name: `post ${index}`, quantity: 1, amount: 1 })),
    );
    const balances = (await Promise.all(posts)).map(({ balance }) => Number(balance));
    expect(balances.sort((a, b) => a - b)).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
    expect(countTransactions(place.file)).toBe(35);
    expect(refused).toBeGreaterThan(0);
  });

  test('a service that cannot write is asked again after the time it named', async ({ onTestFinished }) => {
    const place = await startPlace();
    onTestFinished(() => place.stop());
    // The service waits five seconds for the lock of its store before it answers 503.
    const lock = new DatabaseSync(place.file);
    lock.exec('BEGIN IMMEDIATE');
    const waits: number[] = [];
    const clock = {
      nowMs: () => performance.now(),
      async sleep(ms: number) {
        waits.push(ms);
        lock.close();
      },
    };
    const client = place.connect({ clock, random: () => 0.5 });
    const posted = await client.postTransaction(transaction({ amount: 1, quantity: 1 }));
    expect(posted).toMatchObject({ balance: '1', replayed: false });
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
    while (answered() < (kill * POSTS) / (KILLS + 1)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Nearly every client has a post under way at this moment.
    place.server.child.kill('SIGKILL');
    await place.server.ended;
    await place.restart();
  }
}

function readNames(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = db.prepare('SELECT name FROM ledger_transaction').all();
    return rows.map(({ name }) => String(name)).sort();
  } finally {
    db.close();
  }
}

/** What the accounts hold together, read through the interface. */
async function sumOf(client: GuildbookClient): Promise<number> {
  let sum = 0;
  for (let player = 0; player < PLAYERS; player += 1) {
    for await (const { total } of client.transactions(`p${player}`)) {
      sum += total;
    }
  }
  return sum;
}
