import { closeSync, existsSync, openSync, readSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { VerifyProgress } from '../operations/verify-account.ts';
import { openDatabase, readPragma } from './connection.ts';
import { isDiskFull } from './faults.ts';
import { copyPages, giveToOwner, nameCopy, removeStore } from './page-copy.ts';
import { explainFailure } from './store-file.ts';
import { damage } from './verify.ts';

/** The largest number of copies with the same two versions. There are several when an upgrade is repeated after the store changed. */
const COPIES_MAX = 100;
const COMPARED_BYTES = 1024 * 1024;

export interface KeptCopyOptions {
  store: string;
  /** The schema versions before and after the upgrade, which are in the name of the copy. */
  from: number;
  to: number;
  onProgress: VerifyProgress;
  stop: AbortSignal;
}

/**
 * Keeps a checked copy of a store beside it, as `guildbook.db.before-3-to-15`, and returns its name. It belongs to
 * the owner of the store. An existing copy is never overwritten: one with the same content is used, otherwise a
 * number is added. The caller holds the lock of the store, so no other process can do the same.
 */
export async function keepCopyBeside(options: KeptCopyOptions): Promise<string> {
  const { store, from, to, onProgress, stop } = options;
  const name = `${path.resolve(store)}.before-${from}-to-${to}`;
  const unfinished = `${name}.unfinished`;
  // Left by a process that was killed while it copied.
  removeStore(unfinished);
  assertRoom(store);
  try {
    await copyPages({ source: store, target: unfinished, onProgress, stop });
    assertSound(unfinished, store);
    // The check blocks the event loop. A signal that came meanwhile arrives in the next turn.
    await nextTurn();
    stop.throwIfAborted();
    giveToOwner(unfinished, store);
    return takeName(unfinished, name);
  } catch (error) {
    throw isDiskFull(error) ? noRoom(store, error) : error;
  } finally {
    removeStore(unfinished);
  }
}

/** Checked first, because a copy that fills the disk would disturb other users of the disk. */
function assertRoom(store: string): void {
  const { bavail, bsize } = statfsSync(path.dirname(path.resolve(store)));
  if (bavail * bsize < sizeOf(store)) {
    throw noRoom(store);
  }
}

/** The size of a store including what is still in its log. */
function sizeOf(store: string): number {
  const db = openDatabase(store);
  try {
    return Number(readPragma(db, 'page_count')) * Number(readPragma(db, 'page_size'));
  } finally {
    db.close();
  }
}

function noRoom(store: string, cause?: unknown): OperatorError {
  const folder = path.dirname(path.resolve(store));
  const megabytes = Math.ceil(sizeOf(store) / 1e6);
  return new OperatorError(
    `the store was not upgraded: ${folder} has no room for a copy of it, which takes ${megabytes} MB\n` +
      `  Make room. If you have a backup elsewhere, upgrade without a copy: ${commandLine('migrate --no-copy')}`,
    { cause },
  );
}

/**
 * A damaged copy is no way back, and a damaged store must not be upgraded. SQLite's quick check reads each page once.
 */
function assertSound(copy: string, store: string): void {
  const db = openDatabase(copy);
  try {
    const result = readPragma(db, 'quick_check(1)');
    if (result !== 'ok') {
      throw new OperatorError(
        `${store} was not upgraded: ${damage(String(result).replaceAll('\n', ' '))}\n  Put a backup in its place: ${commandLine('restore <backup>')}`,
      );
    }
  } catch (error) {
    throw explainFailure(store, error);
  } finally {
    db.close();
  }
}

function takeName(unfinished: string, name: string): string {
  for (let number = 1; number <= COPIES_MAX; number += 1) {
    const candidate = number === 1 ? name : `${name}.${number}`;
    if (!existsSync(candidate)) {
      nameCopy(unfinished, candidate);
      return candidate;
    }
    if (hasSameContent(unfinished, candidate)) {
      return candidate;
    }
  }
  throw new OperatorError(
    `there are ${COPIES_MAX} copies of the store from before this upgrade already\n  Delete those that you do not need: ${name}*`,
  );
}

function hasSameContent(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) {
    return false;
  }
  const handles = [openSync(one, 'r'), openSync(other, 'r')] as const;
  try {
    for (;;) {
      const [left, right] = handles.map(readChunk);
      if (left === undefined || right === undefined || !left.equals(right)) {
        return false;
      }
      if (left.length === 0) {
        return true;
      }
    }
  } finally {
    handles.forEach(closeSync);
  }
}

function readChunk(handle: number): Buffer {
  const chunk = Buffer.alloc(COMPARED_BYTES);
  return chunk.subarray(0, readSync(handle, chunk));
}
