import type pg from 'pg';
import { SPREAD_MARK } from './copy-mark.ts';

/**
 * Tables whose rows belong to a guild. All rows of a guild are on one node; every table is colocated with the first
 * one.
 */
export const GUILD_TABLES = [
  'guild_ledger',
  'account',
  'ledger_transaction',
  'ledger_extra',
  'idempotency',
  'batch_request',
  'archive',
  'archived_transaction',
  'guild_day',
  'guild_day_source',
  'discharge',
  'transfer',
  'audit_entry',
  'audit_counter',
  'audit_removed',
  'key_limit',
  'key_usage',
  'key_hour',
  'key_request',
  'guild_chat_role',
  'guild_person',
  'guild_invitation',
  'seal_log',
  'seal_tile',
  'guild_chat',
  'chat_payment',
] as const;

/** Tables that are read across guilds, or written in one commit with a guild's rows. Every node has a copy. */
export const SHARED_TABLES = [
  'guild',
  'api_key',
  'former_key',
  'chat_user',
  'verification',
  'past_user',
  'command',
  'revision',
  'key_change',
  'seal_key',
  'guild_board',
] as const;

/**
 * Tables that only the coordinator needs. Webhooks are few, and delivery reads those of all guilds together.
 * Preferences belong to a person, not to a guild.
 */
export const COORDINATOR_TABLES = [
  'session',
  'sign_in_attempt',
  'schema_migration',
  'schema_function',
  'schema_step',
  'webhook',
  'webhook_retry',
  'webhook_attempt',
  'person_preference',
  'instance',
  'background_job',
] as const;

/**
 * Functions that run on the node that has a guild's rows, called with the guild's number, and the functions these
 * call.
 */
const DELEGATED_FUNCTIONS = ['append_guild_transactions', 'append_correction'];
const HELPER_FUNCTIONS = [
  'decide_posts',
  'lock_ledger',
  'add_daily_sums',
  'hold_writers',
  'first_not_before',
  'read_worker_marks',
];

/** Functions that statements of a guild call with the guild's number as the first argument. */
export const GUILD_FUNCTIONS = [...DELEGATED_FUNCTIONS, 'first_not_before'];

/**
 * The triggers that keep rows from being removed or renumbered are statement triggers, which Citus does not run on
 * shards. Distributed tables get row triggers instead. A post does not set these columns, so it costs the same.
 */
const LASTING_COLUMNS = {
  guild: 'guild_no',
  account: 'guild_no, account_no, player_id',
  ledger_transaction: 'guild_no, account_no, seq',
};

/** Lets Citus make triggers on shards. Ours are safe there: each uses rows of its own guild only. */
export const ALLOW_TRIGGERS = 'SET citus.enable_unsafe_triggers = on';

/** Called before each table is distributed. */
export type SpreadProgress = (state: { table: string; done: number; total: number }) => void;

/**
 * Distributes each missing table in a transaction of its own. Its foreign keys and triggers must not exist meanwhile.
 * Those of other tables stay: Citus refuses to drop the one of `session`, which has an identity column. The transaction
 * that drops them stores their definitions in the table SPREAD_MARK, and the end of this run or of a later one creates
 * them again. No instance serves the store while that table exists.
 */
export async function spreadTables(client: pg.Client, onProgress: SpreadProgress = () => {}): Promise<void> {
  await client.query(ALLOW_TRIGGERS);
  const tables = [...SHARED_TABLES, ...GUILD_TABLES];
  const missing = await findMissing(client, tables);
  if (missing.size > 0) {
    await client.query(`CREATE TABLE IF NOT EXISTS ${SPREAD_MARK} (
      on_table text NOT NULL, kind text NOT NULL, name text NOT NULL, definition text NOT NULL)`);
    await transact(client, () => takeAway(client, [...missing], 'f'));
  }
  for (const [done, table] of tables.entries()) {
    onProgress({ table, done, total: tables.length });
    if (missing.has(table)) {
      await transact(client, async () => {
        await takeAway(client, [table], 't');
        await client.query(spreadSql(table));
      });
    }
    // The rows from before the distribution are still in the local table, where queries no longer see them.
    await client.query(
      `SELECT truncate_local_data_after_distributing_table('${table}') WHERE pg_relation_size('${table}') > 0`,
    );
  }
  await bringBack(client);
  await keepRows(client);
  await spreadFunctions(client);
  await client.query(`DROP TABLE IF EXISTS ${SPREAD_MARK}`);
  onProgress({ table: '', done: tables.length, total: tables.length });
}

async function transact(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function findMissing(client: pg.Client, tables: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE to_regclass(name) NOT IN (SELECT logicalrelid FROM pg_dist_partition)`,
    [tables],
  );
  return new Set(rows.map(({ name }) => name));
}

function spreadSql(table: string): string {
  if (!GUILD_TABLES.some((name) => name === table)) {
    return `SELECT create_reference_table('${table}')`;
  }
  const [first] = GUILD_TABLES;
  const together = table === first ? 'none' : first;
  return `SELECT create_distributed_table('${table}', 'guild_no', colocate_with => '${together}')`;
}

/** Stores the definitions of the tables' foreign keys (in both directions) or triggers, and drops them. */
async function takeAway(client: pg.Client, tables: readonly string[], kind: 'f' | 't'): Promise<void> {
  const found =
    kind === 'f'
      ? `SELECT conrelid::regclass::text AS on_table, 'f' AS kind, conname AS name,
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
         FROM pg_constraint WHERE contype = 'f' AND (conrelid::regclass::text = ANY ($1) OR confrelid::regclass::text = ANY ($1))`
      : `SELECT tgrelid::regclass::text AS on_table, 't' AS kind, tgname AS name, pg_get_triggerdef(oid)
         FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY ($1)`;
  const { rows } = await client.query<{ on_table: string; name: string }>(
    `INSERT INTO ${SPREAD_MARK} ${found} RETURNING on_table, name`,
    [tables],
  );
  for (const { on_table: table, name } of rows) {
    await client.query(
      kind === 'f' ? `ALTER TABLE ${table} DROP CONSTRAINT ${name}` : `DROP TRIGGER ${name} ON ${table}`,
    );
  }
}

async function bringBack(client: pg.Client): Promise<void> {
  const { rows: marks } = await client.query(`SELECT to_regclass('${SPREAD_MARK}') IS NOT NULL AS "isThere"`);
  if (marks[0]?.isThere !== true) {
    return;
  }
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT name, definition FROM ${SPREAD_MARK} ORDER BY kind, on_table, name`,
  );
  for (const { name, definition } of rows) {
    await transact(client, async () => {
      await client.query(definition);
      await client.query(`DELETE FROM ${SPREAD_MARK} WHERE name = $1 AND definition = $2`, [
        name,
        definition,
      ]);
    });
  }
}

async function keepRows(client: pg.Client): Promise<void> {
  for (const [table, columns] of Object.entries(LASTING_COLUMNS)) {
    const name = `${table}_rows_stay`;
    const { rowCount } = await client.query(
      'SELECT FROM pg_trigger WHERE tgrelid = to_regclass($1) AND tgname = $2',
      [table, name],
    );
    if (rowCount === 0) {
      await client.query(`CREATE TRIGGER ${name} BEFORE DELETE OR UPDATE OF ${columns} ON ${table}
        FOR EACH ROW EXECUTE FUNCTION refuse_removal()`);
    }
  }
}

async function spreadFunctions(client: pg.Client): Promise<void> {
  for (const name of HELPER_FUNCTIONS) {
    await client.query(
      `SELECT create_distributed_function(oid::regprocedure) FROM pg_proc WHERE proname = '${name}'`,
    );
  }
  for (const name of DELEGATED_FUNCTIONS) {
    await client.query(
      `SELECT create_distributed_function(oid::regprocedure, 'the_guild_no', colocate_with => 'guild_ledger')
       FROM pg_proc WHERE proname = '${name}'`,
    );
  }
}
