import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import { faultKind, isDenied, isNotADatabase } from './faults.ts';

/**
 * Creates the store's file if there is none, for its owner alone; SQLite gives the files beside it the same mode.
 * Never opens an existing file: closing it would release the locks that this process holds on it through SQLite.
 */
export function prepareFile(file: string): void {
  const present = lookAt(file);
  if (present === undefined) {
    makeFolder(path.dirname(path.resolve(file)));
    createFile(file);
  } else if (present.isDirectory()) {
    throw new OperatorError(
      `${file} is a folder and not a file\n  Name a file in it, as in ${path.join(file, 'guildbook.db')}.`,
    );
  } else if (!present.isFile()) {
    throw new OperatorError(`${file} is not a regular file\n  Name a file on a local disk.`);
  }
}

/** Refuses a store that this process can read but not write. SQLite would open it and fail at the first write. */
export function assertWritable(file: string): void {
  assertWritableFolder(path.dirname(path.resolve(file)));
  for (const one of [file, `${file}-wal`, `${file}-shm`].filter((name) => existsSync(name))) {
    if (!isAccessible(one, constants.R_OK | constants.W_OK)) {
      throw new OperatorError(
        `${one} cannot be read and written: ${ownership(one)}\n` +
          `  Run this as the file's owner, or give the file to the user that runs this: chown ${ourId()} ${one}`,
      );
    }
  }
}

/** Refuses a folder that does not exist, or in which this process cannot create files. */
export function assertWritableFolder(folder: string): void {
  if (lookAt(folder)?.isDirectory() !== true) {
    throw new OperatorError(`there is no folder ${folder}\n  Make it first: mkdir -p ${folder}`);
  }
  if (!isAccessible(folder, constants.W_OK | constants.X_OK)) {
    throw new OperatorError(
      `the folder ${folder} cannot be written: ${ownership(folder)}\n` +
        `  Name another one, or give it to the user that runs this: chown ${ourId()} ${folder}`,
    );
  }
}

/** Explains to the operator why SQLite could not open or read a file. Returns other errors unchanged. */
export function explainFailure(file: string, error: unknown): unknown {
  if (error instanceof OperatorError) {
    return error;
  }
  if (isNotADatabase(error)) {
    return new OperatorError(`${file} is not a Guildbook store`, { cause: error });
  }
  if (existsSync(file) && !isAccessible(file, constants.R_OK)) {
    return new OperatorError(
      `${file} cannot be read: ${ownership(file)}\n  Run this as the file's owner, or as root.`,
      { cause: error },
    );
  }
  if (isDenied(error)) {
    return findDenial(file) ?? error;
  }
  if (error instanceof Error && faultKind(error) === 'fatal') {
    return new OperatorError(
      `${file} is damaged or was cut short: ${error.message}\n` +
        `  Keep it aside, and put a backup in its place: ${commandLine('restore <backup>')}`,
      { cause: error },
    );
  }
  return error;
}

/** The error that names what cannot be written. SQLite has to write beside a file even to read it. */
function findDenial(file: string): unknown {
  try {
    assertWritable(file);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Identifies the file behind the name, to notice later that another one has replaced it. */
export function identify(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Free bytes for this user on the file system of a file. */
export function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(path.dirname(path.resolve(file)));
  return bavail * bsize;
}

/**
 * Makes missing parents one by one. Node's recursive `mkdir` never returns where a folder cannot be made, as below
 * /proc.
 */
export function makeFolder(folder: string): void {
  const present = lookAt(folder);
  if (present?.isDirectory() === true) {
    return;
  }
  if (present !== undefined) {
    throw new OperatorError(`${folder} is a file and not a folder\n  Name another place for the store.`);
  }
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (codeOf(error) !== 'EEXIST') {
      throw new OperatorError(
        `the folder ${folder} cannot be made: ${messageOf(error)}\n  Make it yourself, or name another place.`,
        { cause: error },
      );
    }
  }
}

function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return;
    }
    assertWritableFolder(path.dirname(path.resolve(file)));
    throw new OperatorError(
      `${file} cannot be made: ${messageOf(error)}\n  Name another place for the store.`,
      {
        cause: error,
      },
    );
  }
}

function lookAt(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch (error) {
    throw new OperatorError(
      `${place} cannot be reached: ${messageOf(error)}\n  Name another place, or let the user that runs this into it.`,
      { cause: error },
    );
  }
}

function isAccessible(place: string, mode: number): boolean {
  try {
    accessSync(place, mode);
    return true;
  } catch {
    return false;
  }
}

function ownership(place: string): string {
  const { uid, mode } = statSync(place);
  return `it belongs to user ${uid} with mode ${(mode & 0o777).toString(8)}, and this runs as user ${ourId()}`;
}

function ourId(): number | string {
  return process.geteuid?.() ?? 'unknown';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
