import pg from 'pg';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  assertUpToDate,
  explainFailedStep,
  loadMigrations,
  type Migration,
  pendingMigrations,
  type SchemaRule,
  startUpgradeReport,
  type UpgradeOptions,
} from '../migrate.ts';
import { openClient, type Target } from './connection.ts';
import { isDistributedStore } from './distribution.ts';
import { INSUFFICIENT_PRIVILEGE } from './faults.ts';
import { spreadTables } from './spread-tables.ts';
import { LOCK_SPACE } from './transactions.ts';
import { explainUnreachable } from './unreachable.ts';

const MIGRATION_LOCK = 2;

const CREATE = `CREATE TABLE IF NOT EXISTS schema_migration (
  version bigint NOT NULL PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  checksum text COLLATE "C" NOT NULL,
  applied_at bigint NOT NULL
)`;
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
// Waiting for another instance's migration is no fault, however long it takes.
const BEGIN = `BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = on;
  SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${MIGRATION_LOCK})`;

function known(): Migration[] {
  return loadMigrations(new URL('./migrations/', import.meta.url));
}

/**
 * Applies the steps a database lacks, each in its own transaction. Any number of instances may do it at once: each step
 * is taken by one of them, and the others wait and find it done. Returns the steps this one applied. By the rule it may
 * also refuse the database as it is. What a step adds to a distributed store goes out to its machines at the end.
 */
export async function migratePostgres(
  target: Target,
  rule: SchemaRule = 'upgrade',
  onEvent?: UpgradeOptions['onEvent'],
): Promise<Migration[]> {
  const client = await openClient(target, { query_timeout: 0 });
  const applied: Migration[] = [];
  try {
    const present = await readApplied(client);
    if (rule === 'expect' || (rule === 'create' && present.length > 0)) {
      assertCurrent(present);
    }
    // Nearly every start finds nothing to do, and need not wait for anybody to see that.
    let pending = pendingMigrations(known(), present);
    if (pending.length === 0) {
      return applied;
    }
    const report = startUpgradeReport({ from: present.length, pending }, onEvent);
    while (pending.length > 0) {
      await client.query(BEGIN);
      await client.query(CREATE);
      pending = pendingMigrations(known(), await readApplied(client));
      const [step] = pending;
      if (step !== undefined) {
        await apply(client, step);
      }
      await client.query('COMMIT');
      if (step !== undefined) {
        applied.push(step);
        report.applied(step);
      }
      pending = pending.slice(1);
    }
    if (applied.length > 0 && (await isDistributedStore(client))) {
      await spreadTables(client);
    }
    report.finished();
    return applied;
  } catch (error) {
    const isDenied = error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
    throw isDenied ? explainUnreachable(target.url, error) : error;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, step: Migration): Promise<void> {
  try {
    await client.query(step.sql);
  } catch (error) {
    throw explainFailedStep(step, error);
  }
  await client.query(`INSERT INTO schema_migration VALUES ($1, $2, $3, ${NOW_MS})`, [
    step.version,
    step.name,
    step.checksum,
  ]);
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS "isThere"`,
  );
  if (found[0]?.isThere !== true) {
    return [];
  }
  const { rows } = await client.query<AppliedMigration>(
    'SELECT version, name, checksum FROM schema_migration ORDER BY version',
  );
  return rows;
}

/** Refuses a database that is not a store of exactly this program's version. */
export async function assertMigrated(client: pg.Client): Promise<void> {
  assertCurrent(await readApplied(client));
}

function assertCurrent(applied: readonly AppliedMigration[]): void {
  if (applied.length === 0) {
    throw new OperatorError(
      `the database is not a Guildbook store: "${commandLine('migrate')}" makes it one`,
    );
  }
  assertUpToDate(known(), applied);
}

/** All steps as one script, to be read, or to be run by somebody with more rights than the service has. */
export function printPostgresMigrations(): string {
  const steps = known().map(
    ({ version, name, checksum, sql }) =>
      `-- ${version} ${name}\nBEGIN;\n${sql.trimEnd()}\n` +
      `INSERT INTO schema_migration VALUES (${version}, '${name}', '${checksum}', ${NOW_MS});\nCOMMIT;\n`,
  );
  return [`${CREATE};\n`, ...steps].join('\n');
}
