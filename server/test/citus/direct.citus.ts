import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { findGuildNode, readWorkerNodes } from '../../src/store/postgres/guild-shards.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import type { WorkerEvent } from '../../src/store/postgres/workers.ts';
import { aGuild, aQuery, aTransaction, CHANGE } from '../contract/specimens.ts';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { openStoreAt } from '../postgres/store.ts';
import { untilTrue } from '../support/patience.ts';

const GUILDS = 12;

async function connect(config: string | pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function openCluster(): Promise<{ database: TestDatabase; client: pg.Client }> {
  const database = await createDatabase();
  onTestFinished(database.remove);
  return { database, client: await connect(database.url) };
}

async function createGuilds(store: Store): Promise<Guild[]> {
  const guilds: Guild[] = [];
  for (let index = 0; index < GUILDS; index += 1) {
    guilds.push(await store.guilds.set(aGuild({ guildId: `guild ${index}` }), CHANGE));
  }
  return guilds;
}

/** The port of the worker that has a guild's rows, as Citus says it. */
async function portOfGuild(client: pg.Client, guildNo: number): Promise<number> {
  const { rows } = await client.query<{ port: number }>(
    `SELECT nodeport::int AS port FROM citus_shards
     WHERE shardid = get_shard_id_for_distribution_column('guild_ledger', $1::bigint)`,
    [guildNo],
  );
  return rows[0]?.port ?? 0;
}

/** The statements that instances last sent to a worker on connections of their own. */
async function sentTo(client: pg.Client, { name }: TestDatabase, port: number): Promise<string[]> {
  const worker = await connect({ host: '127.0.0.1', port, user: client.user, database: name });
  const { rows } = await worker.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'guildbook'`,
  );
  return rows.map(({ query }) => query);
}

it('the worker of a guild is found without asking the coordinator', async () => {
  const { client } = await openCluster();
  const nodes = await readWorkerNodes((query) => client.query(query));
  expect(nodes).toHaveLength(2);
  for (const guildNo of [0, 1, 2, 3, 4, 5, 6, 7, 1_000, 2 ** 31, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER]) {
    expect(findGuildNode(nodes, guildNo)?.port).toBe(await portOfGuild(client, guildNo));
  }
});

it('posts and reads of a guild go to its worker, and to the new one after a move', async () => {
  const { database, client } = await openCluster();
  const events: WorkerEvent[] = [];
  const store = await openStoreAt(database.url, { onWorker: (event) => events.push(event) });
  expect(events.map(({ state }) => state)).toEqual(['direct', 'direct']);
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const use = async (playerId: string) => {
    await store.ledger.append(aTransaction(guild, { playerId }));
    expect((await store.ledger.list(guild, playerId, aQuery())).total).toBe(1);
  };
  const isUsed = async (port: number) => {
    const sent = await sentTo(client, database, port);
    return ['append_guild_transactions', 'read_worker_marks'].every((part) =>
      sent.some((query) => query.includes(part)),
    );
  };
  const from = await portOfGuild(client, guild.guildNo);
  await use('before');
  expect(await isUsed(from)).toBe(true);
  await client.query(
    `SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes')
     FROM citus_shards AS s JOIN pg_dist_node AS n ON n.groupid <> 0 AND n.nodeport <> s.nodeport
     WHERE s.shardid = get_shard_id_for_distribution_column('guild_ledger', $1::bigint)`,
    [guild.guildNo],
  );
  const to = await portOfGuild(client, guild.guildNo);
  expect(to).not.toBe(from);
  let count = 0;
  await untilTrue(async () => {
    count += 1;
    await use(`after ${count}`);
    return isUsed(to);
  });
  await store.close();
  expect(await verifyPostgres(parseDatabaseUrl(database.url), () => {})).toEqual([]);
});

it('behind a pooler all guilds are served through the coordinator, and the log says so once', async () => {
  const { database, client } = await openCluster();
  const events: WorkerEvent[] = [];
  const store = await openStoreAt(`${database.url}&pooler=transaction`, {
    onWorker: (event) => events.push(event),
  });
  const guilds = await createGuilds(store);
  for (const guild of guilds) {
    await store.ledger.append(aTransaction(guild));
    expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(1);
  }
  expect(store.figures.workers()).toMatchObject([
    { isDirect: false, isUp: true },
    { isDirect: false, isUp: true },
  ]);
  expect(await sentTo(client, database, await portOfGuild(client, guilds[0]?.guildNo ?? 0))).toEqual([]);
  expect(events).toEqual(
    store.figures.workers().map(({ name: worker }) => ({
      worker,
      state: 'through the coordinator',
      reason: 'DATABASE_URL leads to a pooler',
    })),
  );
});
