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

const UNAVAILABLE = { ...domainError('store_unavailable'), retryAfterSeconds: 1 };

let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await createPostgresServer();
});
afterAll(() => server.remove());

let url: string;
beforeEach(async () => {
  databases += 1;
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE outage_${databases}`);
  await client.end();
  url = server.url(`outage_${databases}`);
});

async function openWithGuild(): Promise<{ store: Store; guild: Guild }> {
  const store = await openStoreAt(url);
  return { store, guild: await store.guilds.set(aGuild(), CHANGE) };
}

async function administer(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** How often the call was refused until it was answered; each refusal must be that of a store that is away. */
async function refusalsUntilAnswered(call: () => Promise<unknown>): Promise<number> {
  let refusals = 0;
  await untilTrue(() =>
    call().then(
      () => true,
      (error) => {
        expect(error).toMatchObject(UNAVAILABLE);
        refusals += 1;
        return false;
      },
    ),
  );
  return refusals;
}

/** Connections of one pool: each may have to be found dead once before a call gets a new one. */
const CONNECTIONS = 10;

describe('while the server is away', () => {
  it('every call is refused as unavailable, and answered again as soon as it is back', async () => {
    const { store, guild } = await openWithGuild();
    await store.ledger.append(aTransaction(guild));
    await store.ledger.list(guild, '48213977', aQuery());
    await server.stop('immediate');
    const calls = {
      check: () => store.check(),
      append: () => store.ledger.append(aTransaction(guild)),
      list: async () => store.ledger.list(guild, '48213977', aQuery()),
      put: () => store.discharges.put(guild, [aDischarge(guild)], CHANGE),
      find: () => store.keys.findByHash('hash'),
      commands: () => store.commands.replace([aCommand()], CHANGE),
      listGuild: () =>
        store.ledgerViews.listGuild(guild, {
          limit: 1,
          source: undefined,
          minUnits: undefined,
          maxUnits: undefined,
        }),
      read: () => store.discharges.read(guild)[Symbol.asyncIterator]().next(),
      allOrNothing: () => store.allOrNothing(async () => 'done'),
    };
    for (const [name, call] of Object.entries(calls)) {
      await expect(call(), name).rejects.toMatchObject(UNAVAILABLE);
    }
    await server.start();
    for (const call of Object.values(calls)) {
      // Counted instead of timed, so that a busy machine does not matter: a pause before the next attempt shows too.
      expect(await refusalsUntilAnswered(call)).toBeLessThanOrEqual(CONNECTIONS);
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
    await refusalsUntilAnswered(() => store.check());
    const outcomes = await Promise.all(posts.map((post) => store.ledger.append(post)));
    expect(outcomes.map(({ balanceUnits }) => balanceUnits).sort((a, b) => a - b)).toEqual(
      posts.map((_, index) => index + 1),
    );
    expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(400);
  });

  it('work that was to be all or nothing is nothing', async () => {
    const { store, guild } = await openWithGuild();
    const working = store.allOrNothing(async () => {
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      await server.stop('immediate');
      await server.start();
    });
    await expect(working).rejects.toMatchObject(UNAVAILABLE);
    await refusalsUntilAnswered(() => store.check());
    expect(await store.discharges.find(guild, 'D-1')).toBeUndefined();
    await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
  });

  it('a reading under way ends as unavailable', async () => {
    const { store, guild } = await openWithGuild();
    const many = Array.from({ length: 1_500 }, (_, index) => aDischarge(guild, { id: `${index}` }));
    await store.discharges.put(guild, many, CHANGE);
    const reading = store.discharges.read(guild)[Symbol.asyncIterator]();
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

describe('a write that waits too long for a lock', () => {
  it('is refused as unavailable, while reads go on', async () => {
    const { store, guild } = await openWithGuild();
    await store.ledger.append(aTransaction(guild));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('BEGIN; SELECT * FROM account FOR UPDATE');
    const refused = expect(store.ledger.append(aTransaction(guild))).rejects.toMatchObject(UNAVAILABLE);
    expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(1);
    await refused;
    await holder.query('ROLLBACK');
    expect((await store.ledger.append(aTransaction(guild))).balanceUnits).toBe(20_000);
  });
});

it('posts through another instance wait while work is to be all or nothing', async () => {
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
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await untilTrue(async () => (await administer(waiting)).length === 1);
    expect(isPosted).toBe(false);
  });
  await post;
  expect((await other.ledger.list(guild, 'q', aQuery())).total).toBe(2);
});

describe('a key deleted by another instance', () => {
  /** Makes a key through one store, lets the other one learn and remember it, and deletes it through the first. */
  async function deleteKnown(one: Store, other: Store, guild: Guild): Promise<string> {
    const key = aKey(guild);
    await one.keys.insert(key, CHANGE);
    await untilTrue(async () => (await other.keys.findByHash(key.hash)) !== undefined);
    await one.keys.delete(key.keyId, CHANGE);
    return key.hash;
  }

  it('is refused with the notification of it, also after the listener was lost', async () => {
    const { store, guild } = await openWithGuild();
    // Its clock stands still, so a counter that it has read stays valid until a notification arrives.
    const other = await openStoreAt(url, { clock: { monotonicMs: () => 0 } });
    for (const isLost of [false, true]) {
      if (isLost) {
        await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
      }
      for (let round = 0; round < 10; round += 1) {
        const hash = await deleteKnown(store, other, guild);
        await untilTrue(async () => (await other.keys.findByHash(hash)) === undefined);
      }
    }
  });

  it('is refused after less than a second without any notification', async () => {
    const { store, guild } = await openWithGuild();
    let nowMs = 0;
    const other = await openStoreAt(`${url}&pooler=transaction`, { clock: { monotonicMs: () => nowMs } });
    for (let round = 0; round < 6; round += 1) {
      nowMs += 999;
      const hash = await deleteKnown(store, other, guild);
      nowMs += 999;
      expect(await other.keys.findByHash(hash)).toBeUndefined();
    }
  });
});
