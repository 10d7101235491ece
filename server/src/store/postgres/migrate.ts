import pg from 'pg';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  assertFinished,
  assertUpToDate,
  explainFailedStep,
  knownSteps,
  type PendingStep,
  type SchemaRule,
  startUpgradeReport,
  type UpgradeOptions,
} from '../operations/migrate.ts';
import type { Database } from './connection.ts';
import { isDistributedStore } from './distribution.ts';
import { INSUFFICIENT_PRIVILEGE } from './faults.ts';
import { MIGRATION_LOCK } from './online-ddl.ts';
import {
  CREATE_RECORDS,
  loadSchema,
  type PostgresSchema,
  pendingChanges,
  type RecordedSchema,
  readRecorded,
} from './schema.ts';
import { splitStatements } from './split-statements.ts';
import { ALLOW_TRIGGERS, spreadTables } from './spread-tables.ts';
import { LOCK_SPACE } from './transactions.ts';
import { explainUnreachable } from './unreachable.ts';
import { APPLYING_LOCK, openUpgradeLock } from './upgrade-lock.ts';
import { applyOnline, openDdlClient, RECORD_MIGRATION } from './upgrade-steps.ts';

// For what locks no table that others use: a new store, and functions.
const BEGIN = `BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = on;
  SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${MIGRATION_LOCK})`;

/** The result of an upgrade. */
export interface Upgraded {
  /** The migrations that this instance applied. */
  applied: AppliedMigration[];
  /** True when steps still have to run in the background. */
  hasUnfinished: boolean;
}

/** Like `upgradePostgres`, for callers that leave the steps in the background to others. Returns the applied migrations. */
export async function migratePostgres(
  database: Database,
  rule: SchemaRule = 'upgrade',
  onEvent?: UpgradeOptions['onEvent'],
): Promise<AppliedMigration[]> {
  return (await upgradePostgres(database, { rule, onEvent })).applied;
}

/**
 * Makes a new store, or applies the migrations that a database lacks, beside instances of the version before that serve. Any number
 * of instances may do it at once: one of them works while the others wait. Refuses an older database unless the rule is `upgrade`. On
 * a distributed store, new tables and functions are distributed at the end.
 */
export async function upgradePostgres(
  database: Database,
  options: { rule?: SchemaRule; onEvent?: UpgradeOptions['onEvent']; schema?: PostgresSchema },
): Promise<Upgraded> {
  const { rule = 'upgrade', onEvent, schema = loadSchema() } = options;
  const client = await openDdlClient(database);
  try {
    const present = await readRecorded(client);
    if (rule === 'expect' || (rule === 'create' && present.applied.length > 0)) {
      assertCurrent(schema, present);
      return { applied: [], hasUnfinished: present.hasUnfinished };
    }
    // Nearly every start finds nothing to do, and sees that without waiting for a lock.
    const pending = pendingChanges(schema, present);
    if (pending.length === 0 && present.hasProgress) {
      return { applied: [], hasUnfinished: present.hasUnfinished };
    }
    const applied = await applyAll(client, database, { schema, present, pending, onEvent });
    const { hasUnfinished } = await readRecorded(client);
    return { applied: applied.flatMap(({ records }) => records), hasUnfinished };
  } catch (error) {
    const isDenied = error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
    throw isDenied ? explainUnreachable(database.url, error) : error;
  } finally {
    await client.end();
  }
}

interface Upgrade {
  schema: PostgresSchema;
  present: RecordedSchema;
  pending: readonly PendingStep[];
  onEvent: UpgradeOptions['onEvent'];
}

async function applyAll(
  client: pg.Client,
  database: Database,
  { schema, present, pending, onEvent }: Upgrade,
): Promise<PendingStep[]> {
  const versions = { from: present.applied.length, to: knownSteps(schema).length };
  const report = pending.length === 0 ? undefined : startUpgradeReport({ ...versions, pending }, onEvent);
  const lock = await openUpgradeLock(database, APPLYING_LOCK);
  const applied: PendingStep[] = [];
  try {
    await lock.take();
    await inTransaction(client, () => client.query(CREATE_RECORDS));
    const left = pendingChanges(schema, await readRecorded(client));
    if (await isDistributedStore(client)) {
      await client.query(ALLOW_TRIGGERS);
    }
    for (const step of left) {
      await apply(client, step, onEvent);
      applied.push(step);
      report?.applied(step);
    }
    if (applied.length > 0 && (await isDistributedStore(client))) {
      await spreadTables(client);
    }
  } finally {
    await lock.close();
  }
  report?.finished();
  return applied;
}

async function apply(
  client: pg.Client,
  step: PendingStep,
  onEvent: UpgradeOptions['onEvent'],
): Promise<void> {
  const [migration] = step.records;
  if (step.steps !== undefined && migration !== undefined) {
    await applyOnline(client, { migration, steps: step.steps }, (reason) =>
      onEvent?.({ kind: 'repeating', step: step.name, reason }),
    );
    return;
  }
  try {
    await inTransaction(client, async () => {
      for (const statement of (await isDistributedStore(client)) ? splitStatements(step.sql) : [step.sql]) {
        await client.query(statement);
      }
      for (const { version, name, checksum } of step.records) {
        await client.query(RECORD_MIGRATION, [version, name, checksum]);
      }
    });
  } catch (error) {
    throw explainFailedStep(step, error);
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  try {
    await client.query(BEGIN);
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Refuses a database that is not a store of exactly this program's version. */
export async function assertMigrated(client: pg.Client): Promise<void> {
  assertCurrent(loadSchema(), await readRecorded(client));
}

/** The same, and refuses one with steps that still have to run in the background. */
export async function assertUpgraded(client: pg.Client): Promise<void> {
  const recorded = await readRecorded(client);
  assertCurrent(loadSchema(), recorded);
  assertFinished(recorded.hasUnfinished);
}

function assertCurrent(schema: PostgresSchema, present: RecordedSchema): void {
  if (present.applied.length === 0) {
    throw new OperatorError(
      `the database is not a Guildbook store: "${commandLine('migrate')}" makes it one`,
    );
  }
  assertUpToDate(pendingChanges(schema, present));
}
