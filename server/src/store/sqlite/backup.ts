import { copyFileSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import { assertUpToDate, pendingMigrations, type SchemaState } from '../migrate.ts';
import type { VerifyProgress } from '../operations/verify-account.ts';
import { openConnection, openDatabase } from './connection.ts';
import { faultKind, isNotADatabase } from './faults.ts';
import { copyPages, giveToOwner, nameCopy, removeStore } from './page-copy.ts';
import { knownMigrations, readApplied, readSchemaState } from './schema.ts';
import { assertWritableFolder, explainFailure, makeFolder } from './store-file.ts';
import { damage, verifyFileAlone, verifySqliteStore } from './verify.ts';

export interface CopyOptions {
  source: string;
  target: string;
  mayOverwrite: boolean;
  onProgress: VerifyProgress;
  /** Ends a backup before its time. Nothing is left of it then. */
  stop?: AbortSignal | undefined;
}

/** The outcome of copying a store: what is wrong with it, in plain words, or nothing, and which schema it has. */
export interface CopyOutcome {
  findings: string[];
  schema: SchemaState | undefined;
}

/**
 * Copies a store of any version while it is being served: SQLite's online backup gives one consistent moment, with everything
 * that was acknowledged before it began. The copy is checked and only then gets its name. Of a store of another version only the
 * file itself can be checked.
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
    // The check holds the event loop up; a signal that came meanwhile is heard now.
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

/** Puts a backup in the place of the store, after checking it. The service must not be running. */
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
  // Of a store in use the newest commits lie in the log beside it, which is not copied.
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

/** Opens a store to look at it and returns what does not hold. */
export function verifySqliteFile(file: string, onProgress: VerifyProgress): string[] {
  const { findings } = lookInto(file, (db) => {
    assertKnown(db, file);
    return verifySqliteStore(db, onProgress);
  });
  return findings;
}

/** Looks into a file that is a store of any version. One that cannot be read at all is a finding too. */
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
 * Opens a backup to look at it. It may lie where nothing can be written, where SQLite could not make its files beside it. A log
 * beside it means that it is a store, which somebody may have open.
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
 * Refuses a file that is absent, not a store, or a store of an older version. Damage is not looked for: whoever reads
 * the file next reports it.
 */
export function assertMigrated(file: string): void {
  assertThere(file);
  lookInto(file, (db) => {
    assertUpToDate(knownMigrations(), readApplied(db, file));
    return [];
  });
}

/** Refuses the place of a store where there is none. */
export function assertThere(file: string): void {
  if (!existsSync(file)) {
    throw new OperatorError(
      `there is no store at ${file}\n` +
        `  Check DATABASE_URL. "${commandLine('serve')}" and "${commandLine('guild set')}" make a store where there is none.`,
    );
  }
}

/** A newer program may have written things that this one does not understand. */
function assertKnown(db: DatabaseSync, file: string): void {
  pendingMigrations(knownMigrations(), readApplied(db, file));
}

/** Refuses a file that is not a store of exactly this program's version. */
export function assertCurrentStore(file: string): void {
  assertStore(file);
  const db = openDatabase(file, { readOnly: true });
  try {
    if (pendingMigrations(knownMigrations(), readApplied(db, file)).length > 0) {
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

/** A file under an open store must not be replaced: the store would go on writing into one that has no name any more. */
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

/** The log beside a store goes away with its last user; one that stays tells that somebody has it open. */
export function isInUse(file: string): boolean {
  if (!existsSync(`${file}-wal`)) {
    return false;
  }
  try {
    openConnection(file).close();
  } catch (error) {
    // A damaged store is nobody's: a service that meets the damage ends itself. That is when a backup is wanted most.
    if (error instanceof OperatorError || faultKind(error) === 'fatal') {
      return false;
    }
    throw error;
  }
  return existsSync(`${file}-wal`);
}
