import { copyFileSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import { assertUpToDate, type SchemaState } from '../operations/migrate.ts';
import type { VerifyProgress } from '../operations/verify-account.ts';
import { openConnection, openDatabase } from './connection.ts';
import { faultKind, isNotADatabase } from './faults.ts';
import { copyPages, giveToOwner, nameCopy, removeStore } from './page-copy.ts';
import { readPendingSteps, readSchemaState } from './schema.ts';
import { assertWritableFolder, explainFailure, makeFolder } from './store-file.ts';
import { damage, verifyFileAlone, verifySqliteStore } from './verify.ts';

export interface CopyOptions {
  source: string;
  target: string;
  mayOverwrite: boolean;
  onProgress: VerifyProgress;
  /** Aborts a backup. Nothing is left of it then. */
  stop?: AbortSignal | undefined;
}

/** The result of copying a store: the violations found, in plain words, and the schema it has. */
export interface CopyOutcome {
  findings: string[];
  schema: SchemaState | undefined;
}

/**
 * Copies a store of any version while it is being served: SQLite's online backup gives one consistent snapshot, with
 * everything that was acknowledged before it began. The copy is checked before it gets its name. In a store of
 * another version only the file itself can be checked.
 */
export async function backUpSqliteFile(options: CopyOptions): Promise<CopyOutcome> {
  const { source: file, target, mayOverwrite, onProgress, stop } = options;
  assertWritableFolder(path.dirname(path.resolve(target)));
  assertTarget(target, mayOverwrite);
  const { findings: unreadable } = lookInto(file, () => []);
  if (unreadable.length > 0) {
    return { findings: unreadable, schema: undefined };
  }
  const unfinished = `${target}.unfinished`;
  removeStore(unfinished);
  try {
    await copyPages({ source: file, target: unfinished, onProgress, stop });
    const outcome = lookInto(unfinished, (db, { isCurrent }) =>
      isCurrent ? verifySqliteStore(db, () => {}) : verifyFileAlone(db),
    );
    // The check blocks the event loop. A signal that came meanwhile arrives in the next turn.
    await nextTurn();
    stop?.throwIfAborted();
    if (outcome.findings.length === 0) {
      nameCopy(unfinished, target);
    }
    return outcome;
  } finally {
    removeStore(unfinished);
  }
}

/** Replaces the store with a backup, after checking the backup. The service must not be running. */
export function restoreSqliteFile(options: CopyOptions): CopyOutcome {
  const { source: file, target, mayOverwrite, onProgress } = options;
  const outcome = lookInto(
    file,
    (db) => {
      assertKnown(db, file);
      return verifySqliteStore(db, onProgress);
    },
    openBackup,
  );
  if (outcome.findings.length > 0) {
    return outcome;
  }
  // The newest commits of a store in use are in the log beside it, which is not copied.
  assertIdle(file);
  assertTarget(target, mayOverwrite);
  const unfinished = `${target}.unfinished`;
  makeFolder(path.dirname(path.resolve(target)));
  removeStore(unfinished);
  try {
    copyFileSync(file, unfinished);
    giveToOwner(unfinished, target);
    nameCopy(unfinished, target);
  } finally {
    removeStore(unfinished);
  }
  return outcome;
}

/** Opens a store, checks it and returns the violations. */
export function verifySqliteFile(file: string, onProgress: VerifyProgress): string[] {
  const { findings } = lookInto(file, (db) => {
    assertKnown(db, file);
    return verifySqliteStore(db, onProgress);
  });
  return findings;
}

/** Opens a store of any version and looks into it. A file too damaged to be read is a finding too. */
function lookInto(
  file: string,
  look: (db: DatabaseSync, schema: SchemaState) => string[],
  open: (file: string) => DatabaseSync = openDatabase,
): CopyOutcome {
  assertStore(file);
  const db = open(file);
  let schema: SchemaState | undefined;
  try {
    schema = readSchemaState(db, file);
    return { findings: look(db, schema), schema };
  } catch (error) {
    if (error instanceof Error && faultKind(error) === 'fatal' && !isNotADatabase(error)) {
      return { findings: [damage(error.message)], schema };
    }
    throw explainFailure(file, error);
  } finally {
    db.close();
  }
}

/**
 * Opens a backup to check it. Its folder may be read-only, where SQLite could not make its files. A log beside it
 * means that it is a store, which somebody may have open.
 */
function openBackup(file: string): DatabaseSync {
  if (existsSync(`${file}-wal`)) {
    return openDatabase(file);
  }
  const url = pathToFileURL(path.resolve(file));
  url.searchParams.set('immutable', '1');
  try {
    return new DatabaseSync(url, { readOnly: true });
  } catch (error) {
    throw explainFailure(file, error);
  }
}

/**
 * Refuses a file that is absent, not a store, or a store of an older version. Does not look for damage: the next
 * reader of the file reports it.
 */
export function assertMigrated(file: string): void {
  assertThere(file);
  lookInto(file, (db) => {
    assertUpToDate(readPendingSteps(db, file));
    return [];
  });
}

/** Refuses a path where there is no store. */
export function assertThere(file: string): void {
  if (!existsSync(file)) {
    throw new OperatorError(
      `there is no store at ${file}\n` +
        `  Check DATABASE_URL. "${commandLine('serve')}" and "${commandLine('guild set')}" make a store where there is none.`,
    );
  }
}

/** Refuses a store of a newer program, which this one may not understand, and one that is too old to be upgraded. */
function assertKnown(db: DatabaseSync, file: string): void {
  readPendingSteps(db, file);
}

/** Refuses a file that is not a store of exactly this program's version. */
export function assertCurrentStore(file: string): void {
  assertStore(file);
  const db = openDatabase(file, { readOnly: true });
  try {
    if (readPendingSteps(db, file).length > 0) {
      throw new OperatorError(`${file} is of an older version: run "${commandLine('migrate')}" first`);
    }
  } finally {
    db.close();
  }
}

function assertStore(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new OperatorError(`there is no file ${file}`);
  }
}

/**
 * Refuses an existing file unless `mayOverwrite` is set, and the file of an open store: the store would continue to
 * write into a file that has no name any more.
 */
function assertTarget(target: string, mayOverwrite: boolean): void {
  if (existsSync(target) && !mayOverwrite) {
    throw new OperatorError(`${target} exists already: give --force to overwrite it`);
  }
  assertIdle(target);
}

function assertIdle(file: string): void {
  if (isInUse(file)) {
    throw new OperatorError(`${file} is in use: stop the service first`);
  }
}

/**
 * True when somebody has the store open. SQLite removes the log with the last connection, so a log that stays has a
 * user.
 */
export function isInUse(file: string): boolean {
  if (!existsSync(`${file}-wal`)) {
    return false;
  }
  try {
    openConnection(file).close();
  } catch (error) {
    // A damaged store counts as not in use: a service that meets the damage ends itself, and a backup is needed then.
    if (error instanceof OperatorError || faultKind(error) === 'fatal') {
      return false;
    }
    throw error;
  }
  return existsSync(`${file}-wal`);
}
