import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import type { AppendOutcome, NewTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import { aGuild, aTransaction, CHANGE } from '../contract/specimens.ts';
import { createDatabase } from '../postgres/database.ts';
import { openOwnStore, openStoreAt } from '../postgres/store.ts';
import { untilTrue } from '../support/patience.ts';

const MOVES = 6;
const POSTERS = 8;

interface Shard {
  name: string;
  port: number;
}

async function connect(url: string | pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The shard that has a guild's row of the ledger, and the port of its worker. */
async function findShard(client: pg.Client, guildNo: number): Promise<Shard> {
  const { rows } = await client.query<Shard>(
    `SELECT shard_name AS name, nodeport::int AS port FROM citus_shards
     WHERE shardid = get_shard_id_for_distribution_column('guild_ledger', $1::bigint)`,
    [guildNo],
  );
  const [shard] = rows;
  if (shard === undefined) {
    throw new Error('the guild has no shard');
  }
  return shard;
}

/** Moves the rows of a guild to the other worker, with those of all guilds of the same shard. */
async function moveGuild(
  client: pg.Client,
  guildNo: number,
  mode: 'force_logical' | 'block_writes',
): Promise<void> {
  await client.query(
    `SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, $2)
     FROM citus_shards AS s JOIN pg_dist_node AS n ON n.groupid <> 0 AND n.nodeport <> s.nodeport
     WHERE s.shardid = get_shard_id_for_distribution_column('guild_ledger', $1::bigint)`,
    [guildNo, mode],
  );
}

/**
 * Posts as a client does: sends the post again after 503, with the same key. On a busy machine a move takes longer than a
 * post waits for a lock.
 */
async function appendPatiently(store: Store, post: NewTransaction): Promise<AppendOutcome> {
  const transaction = { ...post, idempotency: { key: post.playerId, requestHash: 'h' } };
  for (;;) {
    try {
      return await store.ledger.append(transaction);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'store_unavailable')) {
        throw error;
      }
    }
  }
}

it('a post that waits on the old worker while its guild moves is written once, on the new one', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const client = await connect(database.url);
  const [store, other] = [await openStoreAt(database.url), await openStoreAt(database.url)];
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.ledger.append(aTransaction(guild, { playerId: 'first' }));
  const shard = await findShard(client, guild.guildNo);
  const onWorker = { host: '127.0.0.1', port: shard.port, user: client.user, database: database.name };
  const [holder, watcher] = [await connect(onWorker), await connect(onWorker)];
  await holder.query('BEGIN; SET LOCAL citus.enable_manual_changes_to_shards = on');
  await holder.query(`SELECT FROM ${shard.name} WHERE guild_no = $1 FOR UPDATE`, [guild.guildNo]);
  const waiting = appendPatiently(store, aTransaction(guild, { playerId: 'waiting' }));
  const settled = waiting.catch((error: unknown) => error);
  await untilTrue(async () => {
    const { rowCount } = await watcher.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount !== 0;
  });
  // The other mode waits for open transactions, such as that of `holder`.
  await moveGuild(client, guild.guildNo, 'block_writes');
  await appendPatiently(other, aTransaction(guild, { playerId: 'meanwhile' }));
  await holder.query('ROLLBACK');
  expect(await settled).toMatchObject({ replayed: false });
  const entries = await store.entries.feed(guild, { after: 0, limit: 10 });
  // In any order: a post that was sent again after the move may be first on the new worker.
  expect(entries.map(({ playerId }) => playerId).sort()).toEqual(['first', 'meanwhile', 'waiting']);
  expect(await verifyPostgres(parseDatabaseUrl(database.url), () => {})).toEqual([]);
});

it(`posts of two instances are answered and written once while their guild moves ${MOVES} times`, async () => {
  const { store, database } = await openOwnStore();
  const stores = [store, await openStoreAt(database.url)];
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const client = await connect(database.url);
  const failed: unknown[] = [];
  let written = 0;
  let isMoving = true;
  const post = async (poster: number) => {
    for (let count = 0; isMoving; count += 1) {
      const idempotency = { key: `${poster} ${count}`, requestHash: 'h' };
      const transaction = aTransaction(guild, { playerId: `p${count % 3}` });
      const { ledger } = stores[poster % stores.length] ?? store;
      // A group is one statement, which no lane sends again.
      const posting =
        poster % 4 < 2
          ? ledger.append({ ...transaction, idempotency })
          : ledger.appendGroup({ guild, transactions: [transaction], idempotency });
      await posting.then(
        () => {
          written += 1;
        },
        (error: unknown) => failed.push(error),
      );
    }
  };
  const posting = Promise.all(Array.from({ length: POSTERS }, (_, poster) => post(poster)));
  try {
    for (let move = 0; move < MOVES; move += 1) {
      await moveGuild(client, guild.guildNo, 'force_logical');
    }
  } finally {
    isMoving = false;
    await posting;
  }
  console.log(`${written} posts during ${MOVES} moves`);
  expect(failed).toEqual([]);
  expect(await Array.fromAsync(store.ledger.read(guild))).toHaveLength(written);
  expect(await verifyPostgres(parseDatabaseUrl(database.url), () => {})).toEqual([]);
});
