import path from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { copyBetween } from '../../src/compose/copy.ts';
import { OF_A_COMMAND } from '../../src/store/operations/step-runner.ts';
import { finishPostgresSteps } from '../../src/store/postgres/background-steps.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { distributePostgres } from '../../src/store/postgres/distribute.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { loadSchema } from '../../src/store/postgres/schema.ts';
import { GUILD_TABLES, SHARED_TABLES } from '../../src/store/postgres/spread-tables.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import { aTransaction, CHANGE } from '../contract/specimens.ts';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { openStoreAt } from '../postgres/store.ts';
import { fillStore, openStoreOn } from '../store/full-store.ts';
import { createFolder } from '../support/folder.ts';
import { CLUSTER_TEMPLATE } from './cluster.ts';

const QUIET = { onRows() {}, onVerify() {} };
const TABLES = SHARED_TABLES.length + GUILD_TABLES.length;

/** Undoes the steps from 24 on. */
const WITHOUT_NEWEST_STEPS = [
  'DROP TABLE seal_tile',
  'DROP TABLE seal_log',
  'DROP TABLE seal_key',
  'ALTER TABLE guild DROP COLUMN language',
  'ALTER TABLE guild DROP COLUMN own_accounts',
  'ALTER TABLE guild DROP COLUMN seal_public',
  'DROP TABLE key_request',
  'DROP TABLE key_hour',
  'ALTER TABLE api_key DROP COLUMN refusals_noted_hour',
  'ALTER TABLE api_key DROP COLUMN keeps_all_until',
  'DROP INDEX extra_by_corrected',
  'DROP TABLE guild_invitation',
  'ALTER TABLE webhook_attempt DROP COLUMN answer',
  'ALTER TABLE webhook_attempt DROP COLUMN payload',
  'ALTER TABLE webhook DROP COLUMN name',
  'ALTER TABLE guild DROP COLUMN time_zone',
  'DROP INDEX webhook_by_people',
  'ALTER TABLE webhook DROP COLUMN due_at',
  'DROP TABLE background_job',
  'ALTER TABLE batch_request DROP COLUMN seen_at',
  'DROP TABLE audit_removed',
  'DROP TABLE archive',
  'DROP TABLE archived_transaction',
  'ALTER TABLE ledger_extra DROP COLUMN reverses_id',
  'ALTER TABLE guild_ledger DROP COLUMN archived_number',
  'ALTER TABLE account DROP COLUMN archived_count',
  'ALTER TABLE account DROP COLUMN opened_at',
  'ALTER TABLE account DROP COLUMN archived_at',
  'DROP FUNCTION order_account() CASCADE',
  'DROP INDEX account_by_order',
  'ALTER TABLE account DROP CONSTRAINT account_ordered_by_balance',
  'ALTER TABLE account DROP COLUMN ordered_balance',
  'CREATE INDEX account_by_balance ON account (guild_no, balance, account_no)',
  'DROP TABLE instance',
  'DROP TABLE key_change',
  'DROP INDEX verification_by_player',
  'CREATE INDEX verification_by_player ON verification (player_id)',
];
/** Takes away what the steps after release 0.2.0 made. */
const WITHOUT_LATER_STEPS = [
  ...WITHOUT_NEWEST_STEPS,
  'DROP INDEX webhook_retry_by_event',
  'ALTER TABLE webhook_retry DROP COLUMN event_at',
  'ALTER TABLE webhook DROP COLUMN key_id',
  'ALTER TABLE api_key DROP COLUMN route_limits',
  'DROP TABLE batch_request',
  'DROP TABLE schema_function',
  'DROP TABLE schema_step',
  'DELETE FROM schema_migration WHERE version > 18',
];

/** The versions of the migrations from one on. */
function versionsFrom(first: number): number[] {
  return loadSchema()
    .steps.map(({ version }) => version)
    .filter((version) => version >= first);
}

/** A database on a cluster, with a filled store that is not distributed yet. */
async function fillUndistributed(): Promise<TestDatabase> {
  const database = await createDatabase({ template: CLUSTER_TEMPLATE });
  onTestFinished(database.remove);
  const store = await openStoreAt(database.url);
  await fillStore(store);
  await store.close();
  return database;
}

async function expectWhole(database: TestDatabase): Promise<void> {
  expect(await verifyPostgres(parseDatabaseUrl(database.url), () => {})).toEqual([]);
  const store = await openStoreAt(database.url);
  const guilds = await store.guilds.list();
  for (const guild of guilds) {
    await store.ledger.append(aTransaction(guild, { playerId: 'p' }));
  }
  const transactions = await Array.fromAsync(store.ledger.read(undefined));
  expect(transactions).toHaveLength(7 + guilds.length);
  const discharges = await Array.fromAsync(store.discharges.read(undefined));
  expect(discharges).toHaveLength(2);
  await store.close();
  expect(await verifyPostgres(parseDatabaseUrl(database.url), () => {})).toEqual([]);
}

it('a filled store is distributed with everything in it', async () => {
  const database = await fillUndistributed();
  const seen: string[] = [];
  await distributePostgres(parseDatabaseUrl(database.url), ({ table }) => seen.push(table));
  expect(seen.filter((table) => table !== '')).toHaveLength(TABLES);
  await expectWhole(database);
  // Constraints and triggers are back on every part.
  await expect(database.query('DELETE FROM account')).rejects.toThrow(/neither removed/);
  await expect(database.query('UPDATE audit_entry SET detail = detail')).rejects.toThrow(/append-only/);
  await expect(
    database.query(`INSERT INTO transfer VALUES (999, 't', 'p', 'n', 0, 'o', 't', 's', 'n', 's')`),
  ).rejects.toThrow(/foreign key/);
});

it.each([0, 1, 7, 8, 12, TABLES - 1])(
  'what was cut off at table %i is finished by another run',
  async (stop) => {
    const database = await fillUndistributed();
    const target = parseDatabaseUrl(database.url);
    const cut = new Error('cut off');
    const cutting = distributePostgres(target, ({ done }) => {
      if (done === stop) {
        throw cut;
      }
    });
    await expect(cutting).rejects.toBe(cut);
    await expect(openStoreAt(database.url)).rejects.toThrow('run "npx guildbook distribute" again');
    await distributePostgres(target, () => {});
    await expectWhole(database);
  },
);

it('distributing again changes nothing', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  await distributePostgres(parseDatabaseUrl(database.url), () => {});
  const store = await openStoreAt(database.url);
  await fillStore(store);
  await store.close();
  await distributePostgres(parseDatabaseUrl(database.url), () => {});
  await expectWhole(database);
});

it('an upgrade replaces functions on every machine, and drops those that nobody calls any more', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const bodies = () =>
    database.query(`SELECT nodeid, result FROM run_command_on_all_nodes($$
      SELECT string_agg(proname || prosrc, ',' ORDER BY proname)
      FROM pg_proc WHERE proname IN ('append_posts', 'hold_writers', 'decide_posts')$$) ORDER BY nodeid`);
  const before = await bodies();
  expect(before).toHaveLength(3);
  // As an older version left it.
  await database.query(
    `CREATE FUNCTION append_posts(waits boolean) RETURNS boolean LANGUAGE sql AS 'SELECT waits'`,
  );
  await database.query(`SELECT create_distributed_function('append_posts(boolean)')`);
  await database.query(
    `CREATE OR REPLACE FUNCTION hold_writers() RETURNS boolean LANGUAGE sql AS 'SELECT false'`,
  );
  await database.query(`UPDATE schema_function SET checksum = 'of an older version'`);
  for (const statement of [...WITHOUT_NEWEST_STEPS, 'DELETE FROM schema_migration WHERE version > 22']) {
    await database.query(statement);
  }
  expect(await bodies()).not.toEqual(before);
  const applied = await migratePostgres(parseDatabaseUrl(database.url));
  expect(applied.map(({ version }) => version)).toEqual(versionsFrom(23));
  expect(await bodies()).toEqual(before);
  const store = await openStoreAt(database.url);
  await fillStore(store);
  await store.close();
  await expectWhole(database);
});

it('a distributed store of release 0.2.0 is upgraded', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const schema = () =>
    database.query(`SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = 'public' ORDER BY 1, 2`);
  const before = await schema();
  for (const statement of WITHOUT_LATER_STEPS) {
    await database.query(statement);
  }
  expect(await schema()).not.toEqual(before);
  const applied = await migratePostgres(parseDatabaseUrl(database.url));
  expect(applied.map(({ version }) => version)).toEqual(versionsFrom(19));
  await finishPostgresSteps(parseDatabaseUrl(database.url), loadSchema().steps, {
    pace: OF_A_COMMAND,
    onEvent() {},
    stop: new AbortController().signal,
  });
  expect(await database.query('SELECT name FROM schema_step')).toEqual([]);
  expect(await schema()).toEqual(before);
  const store = await openStoreAt(database.url);
  await fillStore(store);
  await store.close();
  await expectWhole(database);
});

it('a store that is served is refused', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const store = await openStoreAt(database.url);
  await store.check();
  await expect(distributePostgres(parseDatabaseUrl(database.url), () => {})).rejects.toThrow(
    'stop all instances',
  );
});

it('a store is copied to a cluster and back', async () => {
  const folder = createFolder();
  const [there, back] = ['there.db', 'back.db'].map((name) => `sqlite:${path.join(folder, name)}`);
  const store = await openStoreOn(path.join(folder, 'there.db'));
  await fillStore(store);
  await store.close();
  const database = await createDatabase();
  onTestFinished(database.remove);
  const rows = await copyBetween(there ?? '', database.url, QUIET);
  expect(rows).toBeGreaterThan(20);
  await expectWhole(database);
  expect(await copyBetween(database.url, back ?? '', QUIET)).toBeGreaterThan(rows);
});

it('whoever writes all or nothing keeps posts out of every machine', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const [one, other] = [await openStoreAt(database.url), await openStoreAt(database.url)];
  await fillStore(one);
  const guilds = await one.guilds.list();
  const order: string[] = [];
  let posting: Promise<unknown> | undefined;
  await one.allOrNothing(async () => {
    posting = Promise.all(
      guilds.map((guild) => other.ledger.append(aTransaction(guild)).then(() => order.push('post'))),
    );
    await one.discharges.read(undefined)[Symbol.asyncIterator]().next();
    for (const guild of guilds) {
      await one.guilds.set({ ...guild, name: 'changed', defaultPlan: 'none' }, CHANGE);
    }
    order.push('whole');
  });
  await posting;
  expect(order[0]).toBe('whole');
  expect(order).toHaveLength(1 + guilds.length);
});

it('posts go on after the rows of a guild moved to another machine', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const store = await openStoreAt(database.url);
  const guild = await fillStore(store);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    `SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes')
     FROM citus_shards AS s JOIN pg_dist_node AS n ON n.groupid <> 0 AND n.nodeport <> s.nodeport
     WHERE s.shardid = get_shard_id_for_distribution_column('guild_ledger', $1::bigint)`,
    [guild.guildNo],
  );
  const posts = Array.from({ length: 20 }, (_, index) =>
    store.ledger.append(aTransaction(guild, { playerId: `after ${index}` })),
  );
  expect(await Promise.all(posts)).toHaveLength(20);
  await store.close();
  expect(await verifyPostgres(parseDatabaseUrl(database.url), () => {})).toEqual([]);
});
