import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../../domain/errors.ts';
import {
  type AppliedMigration,
  assertUpToDate,
  loadMigrations,
  type Migration,
  pendingMigrations,
} from '../migrate.ts';
import type { VerifyProgress } from '../verify-account.ts';
import { openConnection, openDatabase, prepare } from './connection.ts';
import { faultKind, isNotADatabase } from './faults.ts';
import { assertWritableFolder, explainFailure, makeFolder } from './store-file.ts';
import { damage, verifySqliteStore } from './verify.ts';

/** Pages copied between two looks at the event loop. */
const PAGES_PER_STEP = 2_000;

export interface CopyOptions {
  source: string;
  target: string;
  mayOverwrite: boolean;
  onProgress: VerifyProgress;
  /** Ends a backup before its time. Nothing is left of it then. */
  stop?: AbortSignal | undefined;
}

/**
 * Copies a store while it is being served: SQLite's online backup gives one consistent moment, with everything that was
 * acknowledged before it began. The copy is checked and only then gets its name.
 */
export async function backUpSqliteFile({
  source: file,
  target,
  mayOverwrite,
  onProgress,
  stop,
}: CopyOptions): Promise<string[]> {
  assertWritableFolder(path.dirname(path.resolve(target)));
  assertTarget(target, mayOverwrite);
  const unreadable = lookInto(file, () => []);
  if (unreadable.length > 0) {
    return unreadable;
  }
  const unfinished = `${target}.unfinished`;
  removeStore(unfinished);
  try {
    // Made first, because SQLite's own mode lets everybody read it.
    closeSync(openSync(unfinished, 'wx', 0o600));
    await copyPages(file, unfinished, (state) => {
      stop?.throwIfAborted();
      onProgress(state);
    });
    const findings = verifySqliteFile(unfinished, () => {});
    // The check holds the event loop up; a signal that came meanwhile is heard now.
    await nextTurn();
    stop?.throwIfAborted();
    if (findings.length === 0) {
      renameSync(unfinished, target);
    }
    return findings;
  } finally {
    removeStore(unfinished);
  }
}

async function copyPages(file: string, target: string, onProgress: VerifyProgress): Promise<void> {
  const source = openConnection(file);
  try {
    // SQLite restarts a copy when another connection commits between two steps, and under steady posts would never end. Inside
    // a read transaction it stays with the moment of that transaction's first read.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await backup(source, target, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onProgress({ done: totalPages - remainingPages, total: totalPages }),
    });
  } finally {
    source.close();
  }
}

/** Puts a backup in the place of the store, after checking it. The service must not be running. */
export function restoreSqliteFile({ source: file, target, mayOverwrite, onProgress }: CopyOptions): string[] {
  const findings = lookInto(file, (db) => verifySqliteStore(db, onProgress), openBackup);
  if (findings.length > 0) {
    return findings;
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
    flushToDisk(unfinished);
    for (const suffix of LOG_SUFFIXES) {
      rmSync(`${target}${suffix}`, { force: true });
    }
    renameSync(unfinished, target);
  } finally {
    removeStore(unfinished);
  }
  return [];
}

/** Opens a store to look at it and tells what does not hold. */
export function verifySqliteFile(file: string, onProgress: VerifyProgress): string[] {
  return lookInto(file, (db) => verifySqliteStore(db, onProgress));
}

/** Looks into a file that is a store of a known version. One that cannot be read at all is a finding too. */
function lookInto(
  file: string,
  look: (db: DatabaseSync) => string[],
  open: (file: string) => DatabaseSync = openDatabase,
): string[] {
  assertStore(file);
  const db = open(file);
  try {
    // A newer program may have written things that this one does not understand.
    pendingMigrations(known(), readApplied(db, file));
    return look(db);
  } catch (error) {
    if (error instanceof Error && faultKind(error) === 'fatal' && !isNotADatabase(error)) {
      return [damage(error.message)];
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
  if (!existsSync(file)) {
    throw new OperatorError(
      `there is no store at ${file}\n` +
        '  Check DATABASE_URL. "guildbook serve" and "guildbook guild set" make a store where there is none.',
    );
  }
  lookInto(file, (db) => {
    assertUpToDate(known(), readApplied(db, file));
    return [];
  });
}

/** Refuses a file that is not a store of exactly this program's version. */
export function assertCurrentStore(file: string): void {
  assertStore(file);
  const db = openDatabase(file, { readOnly: true });
  try {
    if (pendingMigrations(known(), readApplied(db, file)).length > 0) {
      throw new OperatorError(`${file} is of an older version: run "guildbook migrate" first`);
    }
  } finally {
    db.close();
  }
}

function known(): Migration[] {
  return loadMigrations(new URL('./migrations/', import.meta.url));
}

/** The steps that the file's schema was made by. */
function readApplied(db: DatabaseSync, file: string): AppliedMigration[] {
  const hasSchema = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'schema_migration'",
  ).get();
  if (hasSchema?.count !== 1) {
    throw new OperatorError(`${file} is not a Guildbook store`);
  }
  return prepare<AppliedMigration>(
    db,
    'SELECT version, name, checksum FROM schema_migration ORDER BY version',
  ).all();
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

/** The service runs as the owner of the store, or of its folder, whoever restores it. */
function giveToOwner(file: string, target: string): void {
  chmodSync(file, 0o600);
  const present = statSync(target, { throwIfNoEntry: false }) ?? statSync(path.dirname(target));
  const { uid, gid } = statSync(file);
  if (present.uid === uid && present.gid === gid) {
    return;
  }
  try {
    chownSync(file, present.uid, present.gid);
  } catch (error) {
    throw new OperatorError(
      `the restored store must belong to user ${present.uid}, and user ${uid} cannot give it away\n` +
        '  Run this as that user, or as root. Nothing was changed.',
      { cause: error },
    );
  }
}

/** The files beside a store, which belong to it and to no other. */
const LOG_SUFFIXES = ['-wal', '-shm', '-journal'];

function flushToDisk(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

function removeStore(file: string): void {
  for (const suffix of ['', ...LOG_SUFFIXES]) {
    rmSync(`${file}${suffix}`, { force: true });
  }
}
