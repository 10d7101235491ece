import pg from 'pg';
import { OperatorError } from '../../domain/errors.ts';
import type { AppliedMigration } from '../operations/migrate.ts';
import type { MigrationStep } from '../operations/migration-steps.ts';
import { backgroundStepsOf, EXPAND_STEP_NO, INSERT_STEP } from '../operations/schema-steps.ts';
import { APPLICATION_NAME, type Database, openClient } from './connection.ts';
import { type DdlOperation, toOperations } from './ddl-operations.ts';
import { isDistributedStore } from './distribution.ts';
import { runOperation } from './online-ddl.ts';
import { NOW_MS } from './schema.ts';
import { GUILD_TABLES } from './spread-tables.ts';

/** A migration that a store lacks, with its steps. */
export interface PendingMigration {
  migration: AppliedMigration;
  steps: readonly MigrationStep[];
}

const DONE = 'SELECT position FROM schema_step WHERE version = $1 AND step_no = $2';
const RECORD_DONE = `INSERT INTO schema_step (version, step_no, name, position, rows_done, rows_total)
  VALUES ($1, ${EXPAND_STEP_NO}, $2, $3, 0, 0) ON CONFLICT (version, step_no) DO UPDATE SET position = excluded.position`;
const EXPANDED = `DELETE FROM schema_step WHERE version = $1 AND step_no = ${EXPAND_STEP_NO}`;
export const RECORD_MIGRATION = `INSERT INTO schema_migration VALUES ($1, $2, $3, ${NOW_MS})`;
const TABLE_ROWS = 'greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::bigint';
const ROWS = `SELECT ${TABLE_ROWS} AS rows FROM pg_class WHERE oid = to_regclass($1)`;
// The table of that name has no rows of its own on a distributed store.
const ROWS_OF_SHARDS = `SELECT coalesce(sum(result::bigint), 0)::bigint AS rows FROM run_command_on_shards(to_regclass($1),
  $$SELECT ${TABLE_ROWS} FROM pg_class WHERE oid = '%s'::regclass$$) WHERE success`;

/** Opens a connection for statements that change the schema. They have time limits of their own. */
export async function openDdlClient(database: Database): Promise<pg.Client> {
  const client = await openClient(database, {
    application_name: `${APPLICATION_NAME} upgrade`,
    query_timeout: 0,
  });
  if (!database.isPooled) {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
  }
  return client;
}

/**
 * Applies the `expand` steps of a migration, one statement after the other. Each is recorded when it is done, so that an upgrade that
 * was interrupted continues after it. The steps that run in the background are recorded as unfinished in the commit that records the
 * migration.
 */
export async function applyOnline(
  client: pg.Client,
  { migration, steps }: PendingMigration,
  onRepeat: (reason: string) => void,
): Promise<void> {
  const { version, name, checksum } = migration;
  const operations = steps.flatMap(({ kind, sql }) => (kind === 'expand' ? toOperations(sql) : []));
  const { rows } = await client.query<{ position: string }>(DONE, [version, EXPAND_STEP_NO]);
  const done = Number(rows[0]?.position ?? 0);
  for (const [index, operation] of operations.entries()) {
    if (index >= done) {
      await runExplained(client, operation, {
        what: `migration ${version} (${name})`,
        record: async () => {
          await client.query(RECORD_DONE, [version, name, String(index + 1)]);
        },
        onRepeat,
      });
    }
  }
  await client.query('BEGIN; SET LOCAL synchronous_commit = on');
  await client.query(RECORD_MIGRATION, [version, name, checksum]);
  await client.query(EXPANDED, [version]);
  for (const { stepNo, name: step, step: declared } of backgroundStepsOf({ version, name, steps })) {
    const total = declared.kind === 'backfill' ? await estimateRows(client, declared.table) : 0;
    await client.query(INSERT_STEP, [version, stepNo, step, total]);
  }
  await client.query('COMMIT');
}

/** The number of a table's rows, as the server last counted or estimated it. */
export async function estimateRows(client: pg.Client, table: string): Promise<number> {
  const isSpread = GUILD_TABLES.some((name) => name === table) && (await isDistributedStore(client));
  const { rows } = await client.query<{ rows: number }>(isSpread ? ROWS_OF_SHARDS : ROWS, [table]);
  return rows[0]?.rows ?? 0;
}

export interface ExplainedOptions {
  what: string;
  record: () => Promise<void>;
  onRepeat: (reason: string) => void;
  stop?: AbortSignal | undefined;
}

/** Runs an operation, and explains its failure to the operator. */
export async function runExplained(
  client: pg.Client,
  operation: DdlOperation,
  { what, ...options }: ExplainedOptions,
): Promise<void> {
  try {
    await runOperation(client, operation, options);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError || error instanceof OperatorError)) {
      throw error;
    }
    const statement = 'sql' in operation ? operation.sql.split('\n')[0] : `DROP INDEX ${operation.index}`;
    throw new OperatorError(
      `${what} failed at "${statement}", what came before it is kept: ${error.message}`,
      { cause: error },
    );
  }
}
