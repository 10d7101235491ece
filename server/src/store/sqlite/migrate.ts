import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import {
  assertUpToDate,
  explainFailedStep,
  type Migration,
  pendingMigrations,
  type SchemaRule,
  startUpgradeReport,
  type UpgradeOptions,
} from '../migrate.ts';
import { inTransaction, openConnection } from './connection.ts';
import { isBusy } from './faults.ts';
import { keepCopyBeside } from './kept-copy.ts';
import { addRecordFunctions } from './record-functions.ts';
import { knownMigrations, readApplied } from './schema.ts';
import { assertWritable, prepareFile } from './store-file.ts';

const CREATE = `CREATE TABLE IF NOT EXISTS schema_migration (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
  ) STRICT`;
const RECORD = "INSERT INTO schema_migration VALUES (?, ?, ?, CAST(unixepoch('subsec') * 1000 AS INTEGER))";

/**
 * Applies the steps a file lacks, all in one transaction; several processes may do it at once. Returns those applied.
 * With `create` a store that has some of the steps is refused instead.
 */
export function migrateSqliteFile(
  file: string,
  rule: Exclude<SchemaRule, 'expect'> = 'upgrade',
): Migration[] {
  const db = openToMigrate(file);
  try {
    return inTransaction(db, () => {
      const { pending } = readPending(db, { file, rule });
      applySteps(db, pending, () => {});
      return pending;
    });
  } finally {
    db.close();
  }
}

/**
 * The same for any store, with a copy of an older one kept beside it first. The lock is held from before the copy, so that no
 * commit is missing from it.
 */
export async function upgradeSqliteFile(file: string, options: UpgradeOptions = {}): Promise<Migration[]> {
  const db = openToMigrate(file);
  try {
    lock(db, file);
    const { from, pending } = readPending(db, { file, rule: 'upgrade' });
    if (pending.length > 0) {
      const report = startUpgradeReport({ from, pending }, options.onEvent);
      if (from > 0 && options.keepCopy !== undefined) {
        const versions = { from, to: from + pending.length };
        const keep = (stop: AbortSignal) =>
          keepCopyBeside({ store: file, ...versions, onProgress: report.copying, stop });
        report.copied(await options.keepCopy(keep));
      }
      applySteps(db, pending, report.applied);
      db.exec('COMMIT');
      report.finished();
    }
    return pending;
  } finally {
    // Closing rolls back what was not committed.
    db.close();
  }
}

/** All steps as one script, to be read: some call functions that only the program has. */
export function printSqliteMigrations(): string {
  const steps = knownMigrations().map(({ version, name, sql }) => `-- ${version} ${name}\n${sql}`);
  return [`${CREATE};\n`, ...steps].join('\n');
}

function openToMigrate(file: string): DatabaseSync {
  prepareFile(file);
  assertWritable(file);
  const db = openConnection(file);
  addRecordFunctions(db);
  return db;
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
): { from: number; pending: Migration[] } {
  db.exec(CREATE);
  const applied = readApplied(db, file);
  const known = knownMigrations();
  if (rule === 'create' && applied.length > 0) {
    assertUpToDate(known, applied);
  }
  return { from: applied.length, pending: pendingMigrations(known, applied) };
}

function applySteps(
  db: DatabaseSync,
  pending: readonly Migration[],
  onApplied: (step: Migration) => void,
): void {
  const record = db.prepare(RECORD);
  for (const step of pending) {
    try {
      db.exec(step.sql);
    } catch (error) {
      throw explainFailedStep(step, error);
    }
    record.run(step.version, step.name, step.checksum);
    onApplied(step);
  }
}
