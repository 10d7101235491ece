import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { aDischarge, aGuild, aQuery, aTransaction, CHANGE } from '../contract/specimens.ts';
import { createPostgresServer, type PostgresServer } from '../postgres/server.ts';
import { REAL_TIME } from '../postgres/store.ts';
import { untilTrue } from '../support/patience.ts';

const ROUNDS = 200;
/** A read may wait for one statement to a replica that hangs, and then asks the primary. */
const ANSWERED_WITHIN_MS = 6_000;

let primary: PostgresServer;
let replica: PostgresServer;
let store: Store;
let writer: Store;
let guild: Guild;
let results: string[];
let posts: number;

beforeEach(async () => {
  primary = await createPostgresServer({});
  // The writer is another instance: it knows nothing of the replica.
  writer = await openPostgresStore({ url: primary.url('postgres'), clock: REAL_TIME });
  replica = await createPostgresServer({ standbyOf: primary });
  results = [];
  posts = 0;
  store = await openPostgresStore({
    url: primary.url('postgres'),
    readUrl: replica.url('postgres'),
    clock: REAL_TIME,
    onReplicaRead: (result) => results.push(result),
  });
  guild = await writer.guilds.set(aGuild(), CHANGE);
});
afterEach(async () => {
  await Promise.all([store.close(), writer.close()]);
  replica.kill();
  await Promise.all([primary.remove(), replica.remove()]);
});

/** Posts through the other instance, and reads the overview, the feed and a list that must have the post. */
async function expectFresh(): Promise<void> {
  await writer.ledger.append(aTransaction(guild));
  posts += 1;
  const [totals, feed, list] = await Promise.all([
    store.ledgerViews.totals(guild),
    store.entries.feed(guild, { after: posts - 1, limit: 10 }),
    store.ledgerViews.listGuild(guild, { ...aQuery(), limit: 1 }),
  ]);
  expect(totals.transactions).toBe(posts);
  expect(feed.map(({ number }) => number)).toEqual([posts]);
  expect(list.transactions).toHaveLength(1);
}

async function onReplica(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: replica.url('postgres') });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Reads until the replica answers again. */
function untilUsed(): Promise<void> {
  return untilTrue(async () => {
    results = [];
    await expectFresh();
    return results.every((result) => result === 'replica');
  });
}

describe('a store with a replica', () => {
  it(`has every commit in the next read, ${ROUNDS} times, most of them from the replica`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await expectFresh();
    }
    const used = results.filter((result) => result === 'replica').length;
    console.log(`${used} of ${results.length} reads from the replica`);
    expect(used).toBeGreaterThan(results.length / 2);
    expect(await store.figures.server()).toMatchObject({ readReplicaLagBytes: expect.any(Number) });
  });

  it('streams exports from the replica', async () => {
    await writer.discharges.put(guild, [aDischarge(guild)], CHANGE);
    await untilUsed();
    results = [];
    expect(await Array.fromAsync(store.discharges.read(guild))).toHaveLength(1);
    expect(await Array.fromAsync(store.ledger.read(guild))).toHaveLength(posts);
    expect(results).toEqual(['replica', 'replica']);
  });

  it('reads from the primary while the replica does not replay, and from the replica afterwards', async () => {
    await untilUsed();
    await onReplica('SELECT pg_wal_replay_pause()');
    results = [];
    for (let round = 0; round < 10; round += 1) {
      await expectFresh();
    }
    expect(new Set(results)).toEqual(new Set(['late']));
    await untilTrue(async () => ((await store.figures.server())?.readReplicaLagBytes ?? 0) > 0);
    await onReplica('SELECT pg_wal_replay_resume()');
    await untilUsed();
  });

  it('reads from the primary while the replica hangs, and from the replica afterwards', async () => {
    await untilUsed();
    replica.pause();
    results = [];
    for (let round = 0; round < 10; round += 1) {
      const startMs = performance.now();
      await expectFresh();
      expect(performance.now() - startMs).toBeLessThan(ANSWERED_WITHIN_MS);
    }
    expect(new Set(results)).toEqual(new Set(['failed']));
    replica.resume();
    await untilUsed();
  });

  it('reads from the primary while the replica is gone, and from the replica when it is back', async () => {
    await untilUsed();
    await replica.stop('immediate');
    results = [];
    for (let round = 0; round < 10; round += 1) {
      await expectFresh();
    }
    expect(new Set(results)).toEqual(new Set(['failed']));
    expect((await store.figures.server())?.readReplicaLagBytes).toBeUndefined();
    await replica.start();
    await untilUsed();
  });

  it('does not read from a replica that was promoted', async () => {
    await untilUsed();
    await onReplica('SELECT pg_promote()');
    await onReplica('UPDATE guild_day SET deposit_count = 1000');
    results = [];
    for (let round = 0; round < 5; round += 1) {
      await expectFresh();
    }
    expect(results).not.toContain('replica');
  });
});

describe('an address that is no replica of the store', () => {
  it('is refused, and one that cannot be reached is not', async () => {
    const other = await createPostgresServer({});
    onTestFinished(other.remove);
    const open = (readUrl: string) =>
      openPostgresStore({ url: primary.url('postgres'), readUrl, clock: REAL_TIME });
    await expect(open(other.url('postgres'))).rejects.toThrow('READ_DATABASE_URL is no replica');
    await expect(open(replica.url('template1'))).rejects.toThrow('READ_DATABASE_URL is no replica');
    await other.stop('fast');
    const opened = await open(other.url('postgres'));
    expect((await opened.ledgerViews.totals(guild)).transactions).toBe(0);
    await opened.close();
  });
});
