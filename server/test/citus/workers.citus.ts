import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explain } from '../../src/cli/explain.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { distributePostgres } from '../../src/store/postgres/distribute.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import { aGuild, aKey, aTransaction, CHANGE } from '../contract/specimens.ts';
import { createPostgresServer, type PostgresServer } from '../postgres/server.ts';
import { REAL_TIME } from '../postgres/store.ts';
import { untilTrue } from '../support/patience.ts';
import { findSparePort } from '../support/spare-port.ts';
import { createClusterDatabase, NODE_SETTINGS, portOf, run, startCluster } from './cluster.ts';

const NAME = 'guildbook_workers';
const GUILDS = 12;

// A cluster of this file's own, because its workers are stopped and replaced.
let servers: PostgresServer[];
let url: string;
let store: Store;
let guilds: Guild[];
beforeAll(async () => {
  servers = await startCluster();
  await createClusterDatabase(servers, NAME);
  url = servers[0]?.url(NAME) ?? '';
  const target = parseDatabaseUrl(url);
  await migratePostgres(target);
  await distributePostgres(target, () => {});
  store = await openPostgresStore({ url, clock: REAL_TIME });
  guilds = [];
  for (let index = 0; index < GUILDS; index += 1) {
    guilds.push(await store.guilds.set(aGuild({ guildId: `guild ${index}` }), CHANGE));
  }
});
afterAll(async () => {
  await store?.close();
  await Promise.all((servers ?? []).map((server) => server.remove()));
});

async function ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const [result] = await run(url, [sql]);
  return result?.rows ?? [];
}

const postToAll = () => Promise.all(guilds.map((guild) => store.ledger.append(aTransaction(guild))));

function workerAt(index: 1 | 2): PostgresServer {
  const worker = servers[index];
  if (worker === undefined) {
    throw new Error('the cluster has two workers');
  }
  return worker;
}

/** A guild whose rows are, or are not, on the worker with this port. */
async function findGuild(port: string, isThere: boolean): Promise<Guild> {
  for (const guild of guilds) {
    const [place] = await ask<{ port: number }>(
      `SELECT nodeport::int AS port FROM citus_shards
       WHERE shardid = get_shard_id_for_distribution_column('guild_ledger', ${guild.guildNo}::bigint)`,
    );
    if ((String(place?.port) === port) === isThere) {
      return guild;
    }
  }
  throw new Error('the guilds are not spread over the workers');
}

it('while a worker is down a new key is refused with its name and the reason, and other guilds post', async () => {
  const worker = workerAt(1);
  const port = portOf(worker);
  const [here, elsewhere] = [await findGuild(port, true), await findGuild(port, false)];
  const key = aKey(elsewhere);
  await worker.stop('immediate');
  const refusal = await store.keys.insert(key, CHANGE).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'store_unavailable' });
  const text = explain(refusal);
  expect(text).toContain(`the worker 127.0.0.1:${port} cannot be reached`);
  expect(text).toContain('keys');
  expect(text).toContain('Run this again');
  await expect(store.ledger.append(aTransaction(here))).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(await store.ledger.append(aTransaction(elsewhere))).toMatchObject({ replayed: false });
  await worker.start();
  // The refused key left nothing behind, so the same one can be made.
  await untilTrue(() =>
    store.keys.insert(key, CHANGE).then(
      () => true,
      () => false,
    ),
  );
  expect((await store.keys.list(elsewhere)).map(({ keyId }) => keyId)).toEqual([key.keyId]);
  expect(await store.ledger.append(aTransaction(here))).toMatchObject({ replayed: false });
});

it('a worker is replaced by its standby, with everything acknowledged', async () => {
  const worker = workerAt(2);
  const port = await findSparePort();
  const standby = await createPostgresServer({ port, settings: NODE_SETTINGS, standbyOf: worker });
  servers.push(standby);
  await run(worker.url('postgres'), [
    `ALTER SYSTEM SET synchronous_standby_names = '*'`,
    'SELECT pg_reload_conf()',
  ]);
  await untilTrue(async () => {
    const [state] = await run(worker.url('postgres'), ['SELECT sync_state FROM pg_stat_replication']);
    return state?.rows[0]?.sync_state === 'sync';
  });
  const posted = await postToAll();
  await worker.stop('immediate');
  await run(standby.url('postgres'), ['SELECT pg_promote()']);
  await ask(`SELECT citus_update_node(nodeid, '127.0.0.1', ${port}, true) FROM pg_dist_node
    WHERE nodeport = ${portOf(worker)}`);
  await untilTrue(() =>
    postToAll().then(
      () => true,
      () => false,
    ),
  );
  for (const [index, guild] of guilds.entries()) {
    const entries = await store.entries.feed(guild, { after: 0, limit: 100 });
    expect(entries.map(({ transactionId }) => transactionId)).toContain(posted[index]?.transactionId);
  }
  await store.keys.insert(aKey(guilds[0] as Guild), CHANGE);
  expect(await verifyPostgres(parseDatabaseUrl(url), () => {})).toEqual([]);
});

it('a worker is added and gets its share of the guilds while posts go on', async () => {
  const port = await findSparePort();
  const added = await createPostgresServer({ port, settings: NODE_SETTINGS });
  servers.push(added);
  await run(added.url('postgres'), [`CREATE DATABASE ${NAME}`]);
  await run(added.url(NAME), ['CREATE EXTENSION citus']);
  await ask(`SELECT citus_add_node('127.0.0.1', ${port})`);
  const failed: unknown[] = [];
  let isMoving = true;
  const posting = Promise.all(
    guilds.map(async (guild) => {
      while (isMoving) {
        await store.ledger.append(aTransaction(guild)).catch((error: unknown) => failed.push(error));
      }
    }),
  );
  try {
    await ask(`SELECT citus_rebalance_start(rebalance_strategy => 'by_shard_count')`);
    await ask('SELECT citus_rebalance_wait()');
  } finally {
    isMoving = false;
    await posting;
  }
  const [moved] = await ask<{ count: number }>(
    `SELECT count(*)::int AS count FROM citus_shards
     WHERE table_name = 'guild_ledger'::regclass AND nodeport = ${port}`,
  );
  expect(moved?.count).toBeGreaterThan(0);
  expect(failed).toEqual([]);
  await store.keys.insert(aKey(guilds[0] as Guild), CHANGE);
  expect(await verifyPostgres(parseDatabaseUrl(url), () => {})).toEqual([]);
});
