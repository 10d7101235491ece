import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  assertUpToDate,
  explainFailedStep,
  knownSteps,
  type Migration,
  type PendingStep,
  pendingSteps,
  type Schema,
  type SchemaRule,
  startUpgradeReport,
  type UpgradeOptions,
} from '../operations/migrate.ts';
import { BATCH } from '../operations/migration-steps.ts';
import { backgroundSteps, backgroundStepsOf, INSERT_STEP } from '../operations/schema-steps.ts';
import { nextStep } from '../operations/step-runner.ts';
import { applySchemaStep } from './background-steps.ts';
import { inTransaction, openConnection, prepare } from './connection.ts';
import { isBusy } from './faults.ts';
import { keepCopyBeside } from './kept-copy.ts';
import { countRows, loadSchema, readApplied, readUnfinished } from './schema.ts';
import { assertWritable, prepareFile } from './store-file.ts';

const CREATE = `CREATE TABLE IF NOT EXISTS schema_migration (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS schema_step (
    version INTEGER NOT NULL, step_no INTEGER NOT NULL, name TEXT NOT NULL, position TEXT, rows_done INTEGER NOT NULL,
    rows_total INTEGER NOT NULL, PRIMARY KEY (version, step_no)
  ) STRICT, WITHOUT ROWID`;
const RECORD = "INSERT INTO schema_migration VALUES (?, ?, ?, CAST(unixepoch('subsec') * 1000 AS INTEGER))";

/**
 * Makes a new store, or applies the steps that a file lacks, all in one transaction; several processes may do it at once. Returns
 * the steps that the store has now and did not have before. With `create` an older store is refused instead.
 */
export function migrateSqliteFile(
  file: string,
  rule: Exclude<SchemaRule, 'expect'> = 'upgrade',
): AppliedMigration[] {
  const db = openToMigrate(file);
  try {
    return inTransaction(db, () => {
      const schema = loadSchema();
      const { pending } = readPending(db, { file, rule, schema });
      applySteps(db, pending, () => {});
      applyDueSteps(db, schema);
      return pending.flatMap(({ records }) => records);
    });
  } finally {
    db.close();
  }
}

/**
 * The same for any store, with a copy of an older one kept beside it first. The lock is held from before the copy, so that no
 * commit is missing from it. Returns whether steps still have to run in the background.
 */
export async function upgradeSqliteFile(
  file: string,
  options: UpgradeOptions = {},
  schema: Schema = loadSchema(),
): Promise<{ hasUnfinished: boolean }> {
  const db = openToMigrate(file);
  try {
    lock(db, file);
    const { from, to, pending } = readPending(db, { file, rule: 'upgrade', schema });
    const versions = { from, to };
    const report =
      pending.length === 0 ? undefined : startUpgradeReport({ ...versions, pending }, options.onEvent);
    if (report !== undefined) {
      if (from > 0 && options.keepCopy !== undefined) {
        const keep = (stop: AbortSignal) =>
          keepCopyBeside({ store: file, ...versions, onProgress: report.copying, stop });
        report.copied(await options.keepCopy(keep));
      }
      applySteps(db, pending, report.applied);
    }
    applyDueSteps(db, schema);
    const hasUnfinished = nextUnfinished(db, schema) !== undefined;
    db.exec('COMMIT');
    report?.finished();
    return { hasUnfinished };
  } finally {
    // Closing rolls back what was not committed.
    db.close();
  }
}

/** The SQL that upgrades a store of schema version `from`, or makes a new one, as one script to be read. */
export function printSqliteMigrations(from = 0): string {
  const schema = loadSchema();
  const pending = pendingSteps(schema, knownSteps(schema).slice(0, from));
  const script = ({ name, sql }: PendingStep) => `-- ${name}\n${sql.replaceAll(BATCH, '1 = 1')}`;
  return [`${CREATE};\n`, ...pending.map(script)].join('\n');
}

function openToMigrate(file: string): DatabaseSync {
  prepareFile(file);
  assertWritable(file);
  return openConnection(file);
}

function lock(db: DatabaseSync, file: string): void {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (isBusy(error)) {
      throw new OperatorError(
        `${file} is locked by another process, which may be upgrading it\n  Run this again when that is done.`,
        { cause: error },
      );
    }
    throw error;
  }
}

function readPending(
  db: DatabaseSync,
  { file, rule, schema }: { file: string; rule: SchemaRule; schema: Schema },
): { from: number; to: number; pending: PendingStep[] } {
  db.exec(CREATE);
  const applied = readApplied(db, file);
  const pending = pendingSteps(schema, applied);
  if (rule === 'create' && applied.length > 0) {
    assertUpToDate(pending);
  }
  return { from: applied.length, to: knownSteps(schema).length, pending };
}

function applySteps(
  db: DatabaseSync,
  pending: readonly PendingStep[],
  onApplied: (step: PendingStep) => void,
): void {
  const record = db.prepare(RECORD);
  for (const step of pending) {
    try {
      for (const { kind, sql } of step.steps ?? [{ kind: 'expand', sql: step.sql }]) {
        if (kind === 'expand') {
          db.exec(sql);
        }
      }
    } catch (error) {
      throw explainFailedStep(step, error);
    }
    for (const { version, name, checksum } of step.records) {
      record.run(version, name, checksum);
      recordBackgroundSteps(db, { version, name, steps: step.steps ?? [] });
    }
    onApplied(step);
  }
}

function recordBackgroundSteps(
  db: DatabaseSync,
  migration: Pick<Migration, 'version' | 'name' | 'steps'>,
): void {
  for (const { version, stepNo, name, step } of backgroundStepsOf(migration)) {
    const rows = step.kind === 'backfill' ? countRows(db, step.table) : 0;
    prepare(db, INSERT_STEP).run(version, stepNo, name, rows);
  }
}

/** Applies the steps whose turn has come. Only backfills run while the store is served: SQLite cannot build an index beside posts. */
function applyDueSteps(db: DatabaseSync, schema: Schema): void {
  for (let next = nextUnfinished(db, schema); next !== undefined; next = nextUnfinished(db, schema)) {
    if (next.step.kind === 'backfill') {
      return;
    }
    applySchemaStep(db, next);
  }
}

function nextUnfinished(db: DatabaseSync, { steps }: Schema) {
  return nextStep(backgroundSteps(steps), readUnfinished(db));
}
