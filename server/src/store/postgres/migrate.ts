import pg from 'pg';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  assertUpToDate,
  explainFailedStep,
  knownSteps,
  type PendingStep,
  type SchemaRule,
  startUpgradeReport,
  type UpgradeOptions,
} from '../operations/migrate.ts';
import { type Database, openClient } from './connection.ts';
import { isDistributedStore } from './distribution.ts';
import { INSUFFICIENT_PRIVILEGE } from './faults.ts';
import {
  CREATE_RECORDS,
  loadSchema,
  NOW_MS,
  type PostgresSchema,
  pendingChanges,
  type RecordedSchema,
  readRecorded,
} from './schema.ts';
import { splitStatements } from './split-statements.ts';
import { spreadTables } from './spread-tables.ts';
import { LOCK_SPACE } from './transactions.ts';
import { explainUnreachable } from './unreachable.ts';

const MIGRATION_LOCK = 2;

// Waiting for another instance's migration is no fault, however long it takes.
const BEGIN = `BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = on;
  SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${MIGRATION_LOCK})`;

/**
 * Makes a new store, or applies what a database lacks, each step in its own transaction. Any number of instances may do it at once:
 * one of them applies a step while the others wait. Returns the steps that this instance applied. Refuses an older database unless
 * the rule is `upgrade`. On a distributed store, new tables and functions are distributed at the end.
 */
export async function migratePostgres(
  database: Database,
  rule: SchemaRule = 'upgrade',
  onEvent?: UpgradeOptions['onEvent'],
): Promise<AppliedMigration[]> {
  const client = await openClient(database, { query_timeout: 0 });
  try {
    const schema = loadSchema();
    const present = await readRecorded(client);
    if (rule === 'expect' || (rule === 'create' && present.applied.length > 0)) {
      assertCurrent(schema, present);
    }
    // Nearly every start finds nothing to do, and sees that without waiting for the lock.
    const pending = pendingChanges(schema, present);
    if (pending.length === 0) {
      return [];
    }
    const versions = { from: present.applied.length, to: knownSteps(schema).length };
    const report = startUpgradeReport({ ...versions, pending }, onEvent);
    const applied: PendingStep[] = [];
    for (let step = await applyNext(client, schema); step !== undefined; ) {
      applied.push(step);
      report.applied(step);
      step = await applyNext(client, schema);
    }
    if (applied.length > 0 && (await isDistributedStore(client))) {
      await spreadTables(client);
    }
    report.finished();
    return applied.flatMap(({ records }) => records);
  } catch (error) {
    const isDenied = error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
    throw isDenied ? explainUnreachable(database.url, error) : error;
  } finally {
    await client.end();
  }
}

/** Applies the first missing step, under a lock that excludes other instances. Returns undefined when none is missing. */
async function applyNext(client: pg.Client, schema: PostgresSchema): Promise<PendingStep | undefined> {
  await client.query(BEGIN);
  await client.query(CREATE_RECORDS);
  const [step] = pendingChanges(schema, await readRecorded(client));
  if (step !== undefined) {
    try {
      for (const statement of (await isDistributedStore(client)) ? splitStatements(step.sql) : [step.sql]) {
        await client.query(statement);
      }
    } catch (error) {
      throw explainFailedStep(step, error);
    }
    for (const { version, name, checksum } of step.records) {
      await client.query(`INSERT INTO schema_migration VALUES ($1, $2, $3, ${NOW_MS})`, [
        version,
        name,
        checksum,
      ]);
    }
  }
  await client.query('COMMIT');
  return step;
}

/** Refuses a database that is not a store of exactly this program's version. */
export async function assertMigrated(client: pg.Client): Promise<void> {
  assertCurrent(loadSchema(), await readRecorded(client));
}

function assertCurrent(schema: PostgresSchema, present: RecordedSchema): void {
  if (present.applied.length === 0) {
    throw new OperatorError(
      `the database is not a Guildbook store: "${commandLine('migrate')}" makes it one`,
    );
  }
  assertUpToDate(pendingChanges(schema, present));
}

/**
 * The SQL that upgrades a store of schema version `from`, or makes a new one, as one script: to be read, or to be run by somebody
 * with more rights than the service has.
 */
export function printPostgresMigrations(from = 0): string {
  const schema = loadSchema();
  const applied = knownSteps(schema).slice(0, from);
  const steps = pendingChanges(schema, { applied, functions: undefined }).map(({ name, sql, records }) => {
    const inserts = records.map(
      (step) =>
        `INSERT INTO schema_migration VALUES (${step.version}, '${step.name}', '${step.checksum}', ${NOW_MS});\n`,
    );
    return `-- ${name}\nBEGIN;\n${sql.trimEnd()}\n${inserts.join('')}COMMIT;\n`;
  });
  return [`${CREATE_RECORDS};\n`, ...steps].join('\n');
}
