import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  assertUpToDate,
  explainFailedStep,
  knownSteps,
  type PendingStep,
  pendingSteps,
  type SchemaRule,
  startUpgradeReport,
  type UpgradeOptions,
} from '../operations/migrate.ts';
import { inTransaction, openConnection } from './connection.ts';
import { isBusy } from './faults.ts';
import { keepCopyBeside } from './kept-copy.ts';
import { loadSchema, readApplied } from './schema.ts';
import { assertWritable, prepareFile } from './store-file.ts';

const CREATE = `CREATE TABLE IF NOT EXISTS schema_migration (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
  ) STRICT`;
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
      const { pending } = readPending(db, { file, rule });
      applySteps(db, pending, () => {});
      return pending.flatMap(({ records }) => records);
    });
  } finally {
    db.close();
  }
}

/**
 * The same for any store, with a copy of an older one kept beside it first. The lock is held from before the copy, so that no
 * commit is missing from it.
 */
export async function upgradeSqliteFile(file: string, options: UpgradeOptions = {}): Promise<void> {
  const db = openToMigrate(file);
  try {
    lock(db, file);
    const { from, to, pending } = readPending(db, { file, rule: 'upgrade' });
    if (pending.length > 0) {
      const versions = { from, to };
      const report = startUpgradeReport({ ...versions, pending }, options.onEvent);
      if (from > 0 && options.keepCopy !== undefined) {
        const keep = (stop: AbortSignal) =>
          keepCopyBeside({ store: file, ...versions, onProgress: report.copying, stop });
        report.copied(await options.keepCopy(keep));
      }
      applySteps(db, pending, report.applied);
      db.exec('COMMIT');
      report.finished();
    }
  } finally {
    // Closing rolls back what was not committed.
    db.close();
  }
}

/** The SQL that upgrades a store of schema version `from`, or makes a new one, as one script to be read. */
export function printSqliteMigrations(from = 0): string {
  const schema = loadSchema();
  const pending = pendingSteps(schema, knownSteps(schema).slice(0, from));
  return [`${CREATE};\n`, ...pending.map(({ name, sql }) => `-- ${name}\n${sql}`)].join('\n');
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
  { file, rule }: { file: string; rule: SchemaRule },
): { from: number; to: number; pending: PendingStep[] } {
  db.exec(CREATE);
  const applied = readApplied(db, file);
  const schema = loadSchema();
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
      db.exec(step.sql);
    } catch (error) {
      throw explainFailedStep(step, error);
    }
    for (const { version, name, checksum } of step.records) {
      record.run(version, name, checksum);
    }
    onApplied(step);
  }
}
