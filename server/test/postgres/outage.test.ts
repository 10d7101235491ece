import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import {
  aCommand,
  aDischarge,
  aGuild,
  aKey,
  aQuery,
  aTransaction,
  CHANGE,
  domainError,
} from '../contract/specimens.ts';
import { untilTrue } from '../support/patience.ts';
import { createPostgresServer, type PostgresServer } from './server.ts';
import { openStoreAt } from './store.ts';

const PATIENT = 60_000;
const UNAVAILABLE = { ...domainError('store_unavailable'), retryAfterSeconds: 1 };

let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await createPostgresServer();
}, PATIENT);
afterAll(() => server.remove());

let url: string;
beforeEach(async () => {
  databases += 1;
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE outage_${databases}`);
  await client.end();
  url = server.url(`outage_${databases}`);
}, PATIENT);

async function openWithGuild(): Promise<{ store: Store; guild: Guild }> {
  const store = await openStoreAt(url);
  return { store, guild: await store.guilds.set(aGuild(), CHANGE) };
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** How long it took until the call was answered; refusals on the way must be those of a store that is away. */
async function msUntilAnswered(call: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await untilTrue(() =>
    call().then(
      () => true,
      (error) => {
        expect(error).toMatchObject(UNAVAILABLE);
        return false;
      },
    ),
  );
  return performance.now() - startMs;
}

describe('while the server is away', { timeout: PATIENT }, () => {
  it('every call is refused as unavailable, and answered again soon after it is back', async () => {
    const { store, guild } = await openWithGuild();
    await store.ledger.append(aTransaction(guild));
    await store.ledger.list(guild, '48213977', aQuery());
    await server.stop('immediate');
    const calls = {
      check: () => store.check(),
      append: () => store.ledger.append(aTransaction(guild)),
      list: () => store.ledger.list(guild, '48213977', aQuery()),
      put: () => store.records.putDischarges(guild, [aDischarge(guild)], CHANGE),
      find: () => store.keys.findByHash('hash'),
      commands: () => store.commands.replace([aCommand()], CHANGE),
      listGuild: () =>
        store.ledgerViews.listGuild(guild, {
          limit: 1,
          before: undefined,
          source: undefined,
          minUnits: undefined,
          maxUnits: undefined,
        }),
      read: () => store.records.readDischarges(guild)[Symbol.asyncIterator]().next(),
      allOrNothing: () => store.allOrNothing(async () => 'done'),
    };
    for (const [name, call] of Object.entries(calls)) {
      await expect(call(), name).rejects.toMatchObject(UNAVAILABLE);
    }
    await server.start();
    for (const call of Object.values(calls)) {
      expect(await msUntilAnswered(call)).toBeLessThan(2_000);
    }
    expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(2);
  });

  it('posts cut off by a crash are there once after they are repeated with their keys', async () => {
    const { store, guild } = await openWithGuild();
    const posts = Array.from({ length: 400 }, (_, index) =>
      aTransaction(guild, { amountUnits: 1, idempotency: { key: `k${index}`, requestHash: 'h' } }),
    );
    const first = Promise.allSettled(posts.map((post) => store.ledger.append(post)));
    await server.stop('immediate');
    for (const result of await first) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject(UNAVAILABLE);
      }
    }
    await server.start();
    await msUntilAnswered(() => store.check());
    const outcomes = await Promise.all(posts.map((post) => store.ledger.append(post)));
    expect(outcomes.map(({ balanceUnits }) => balanceUnits).sort((a, b) => a - b)).toEqual(
      posts.map((_, index) => index + 1),
    );
    expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(400);
  });

  it('work that was to be all or nothing is nothing', async () => {
    const { store, guild } = await openWithGuild();
    const working = store.allOrNothing(async () => {
      await store.records.putDischarges(guild, [aDischarge(guild)], CHANGE);
      await server.stop('immediate');
      await server.start();
    });
    await expect(working).rejects.toMatchObject(UNAVAILABLE);
    await msUntilAnswered(() => store.check());
    expect(await store.records.findDischarge(guild, 'D-1')).toBeUndefined();
    await store.records.putDischarges(guild, [aDischarge(guild)], CHANGE);
  });

  it('a reading under way ends as unavailable', async () => {
    const { store, guild } = await openWithGuild();
    const many = Array.from({ length: 1_500 }, (_, index) => aDischarge(guild, { id: `${index}` }));
    await store.records.putDischarges(guild, many, CHANGE);
    const reading = store.records.readDischarges(guild)[Symbol.asyncIterator]();
    await reading.next();
    await server.stop('immediate');
    const rest = async () => {
      while ((await reading.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject(UNAVAILABLE);
    await server.start();
  });

  it('closing is no trouble', async () => {
    const { store } = await openWithGuild();
    await server.stop('immediate');
    await store.close();
    await server.start();
  });
});

describe('a write that waits too long for a lock', { timeout: PATIENT }, () => {
  it('is refused as unavailable, while reads go on', async () => {
    const { store, guild } = await openWithGuild();
    await store.ledger.append(aTransaction(guild));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('BEGIN; SELECT * FROM account FOR UPDATE');
    const post = store.ledger.append(aTransaction(guild));
    expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(1);
    await expect(post).rejects.toMatchObject(UNAVAILABLE);
    await holder.query('ROLLBACK');
    expect((await store.ledger.append(aTransaction(guild))).balanceUnits).toBe(20_000);
  });
});

it('posts through another instance wait while work is to be all or nothing', {
  timeout: PATIENT,
}, async () => {
  const { store, guild } = await openWithGuild();
  const other = await openStoreAt(url);
  await other.ledger.append(aTransaction(guild, { playerId: 'q' }));
  let post: Promise<unknown> | undefined;
  let isPosted = false;
  await store.allOrNothing(async () => {
    await store.ledger.append(aTransaction(guild));
    post = other.ledger.append(aTransaction(guild, { playerId: 'q' })).then(() => {
      isPosted = true;
    });
    // Reads on the same server have come back meanwhile, so the post would have, too.
    for (let round = 0; round < 20; round += 1) {
      await other.ledger.list(guild, 'q', aQuery());
    }
    expect(isPosted).toBe(false);
  });
  await post;
  expect((await other.ledger.list(guild, 'q', aQuery())).total).toBe(2);
});

describe('a key deleted by another instance', { timeout: PATIENT }, () => {
  /** Deletes keys through one store and measures until the other refuses each. */
  async function slowestNotice(one: Store, other: Store, guild: Guild, rounds: number): Promise<number> {
    let slowestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const key = aKey(guild);
      await one.keys.insert(key, CHANGE);
      await untilTrue(async () => (await other.keys.findByHash(key.hash)) !== undefined);
      await one.keys.delete(key.keyId, CHANGE);
      const deletedMs = performance.now();
      await untilTrue(async () => (await other.keys.findByHash(key.hash)) === undefined);
      slowestMs = Math.max(slowestMs, performance.now() - deletedMs);
    }
    return slowestMs;
  }

  it('is refused within a second with notifications, also after the listener was lost', async () => {
    const { store, guild } = await openWithGuild();
    const other = await openStoreAt(url);
    expect(await slowestNotice(store, other, guild, 10)).toBeLessThan(1_000);
    await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
    expect(await slowestNotice(store, other, guild, 10)).toBeLessThan(1_000);
  });

  it('is refused within a second without any notification', async () => {
    const { store, guild } = await openWithGuild();
    const other = await openStoreAt(`${url}&pooler=transaction`);
    expect(await slowestNotice(store, other, guild, 6)).toBeLessThan(1_000);
  });
});
