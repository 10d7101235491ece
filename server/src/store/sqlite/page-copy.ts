import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { backup } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import type { VerifyProgress } from '../operations/verify-account.ts';
import { openDatabase } from './connection.ts';

/** Pages copied between two turns of the event loop. */
const PAGES_PER_STEP = 2_000;

/** Suffixes of the files beside a store, which belong to that store only. */
const LOG_SUFFIXES = ['-wal', '-shm', '-journal'];

export interface PageCopy {
  source: string;
  /** Must not exist. Only its owner can read it. */
  target: string;
  onProgress: VerifyProgress;
  stop?: AbortSignal | undefined;
}

/**
 * Copies a store of any version page by page, while others may write to it. The copy holds everything committed
 * before it began and nothing later.
 */
export async function copyPages({ source: file, target, onProgress, stop }: PageCopy): Promise<void> {
  // Created first, because SQLite would let everybody read it.
  closeSync(openSync(target, 'wx', 0o600));
  const source = openDatabase(file);
  try {
    // SQLite restarts a copy when another connection commits between two steps, so under steady posts it would never
    // end. Inside a read transaction the copy keeps the snapshot of that transaction's first read.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await backup(source, target, {
      rate: PAGES_PER_STEP,
      progress({ totalPages, remainingPages }) {
        stop?.throwIfAborted();
        onProgress({ done: totalPages - remainingPages, total: totalPages });
      },
    });
  } finally {
    source.close();
  }
}

/** Gives a complete copy its name, and flushes file and folder to disk. */
export function nameCopy(unfinished: string, target: string): void {
  flushToDisk(unfinished, 'r+');
  removeLogs(target);
  renameSync(unfinished, target);
  // Windows cannot flush folders.
  if (process.platform !== 'win32') {
    flushToDisk(path.dirname(path.resolve(target)), 'r');
  }
}

/** The service runs as the owner of the store, or of its folder, so the copy has to belong to that user. */
export function giveToOwner(file: string, store: string): void {
  chmodSync(file, 0o600);
  const present = existsSync(store) ? statSync(store) : statSync(path.dirname(path.resolve(store)));
  const { uid, gid } = statSync(file);
  if (present.uid === uid && present.gid === gid) {
    return;
  }
  try {
    chownSync(file, present.uid, present.gid);
  } catch (error) {
    throw new OperatorError(
      `the new file must belong to the store's owner, user ${present.uid}, and user ${uid} cannot give it away\n` +
        '  Run this as that user, or as root. Nothing was changed.',
      { cause: error },
    );
  }
}

export function removeStore(file: string): void {
  rmSync(file, { force: true });
  removeLogs(file);
}

function removeLogs(file: string): void {
  for (const suffix of LOG_SUFFIXES) {
    rmSync(`${file}${suffix}`, { force: true });
  }
}

function flushToDisk(place: string, flags: 'r' | 'r+'): void {
  const handle = openSync(place, flags);
  fsyncSync(handle);
  closeSync(handle);
}
