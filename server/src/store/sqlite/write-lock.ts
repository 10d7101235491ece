import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './faults.ts';

/** How long a transaction waits for another process that writes the file. */
const WAIT_MAX_MS = 5_000;
const TRY_EVERY_MS = 1;
/** The pause between two transactions of this process while other processes wait. Longer than between two tries. */
const YIELD_MS = 2;
/** For this long after it had to wait for another process, this process assumes that others wait. */
const CONTENDED_MS = 1_000;

/** Takes and releases the write lock of a file that several processes may write. */
export interface WriteLock {
  /** Begins a transaction that holds the lock. Throws SQLite's "database is locked" when others hold it for too long. */
  begin(): void;
  /** Has to be called at the end of each transaction. */
  ended(): void;
}

/**
 * SQLite's own wait grows to 100 ms between two tries, and a process that writes without a pause would take the lock
 * again in the meantime. This wait tries every millisecond, and a process that assumes that others wait pauses for
 * YIELD_MS after each transaction.
 */
export function createWriteLock(db: DatabaseSync): WriteLock {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let contendedUntilMs = 0;
  let endedAtMs = 0;
  db.exec('PRAGMA busy_timeout = 0');

  const sleep = (ms: number) => Atomics.wait(sleeper, 0, 0, ms);

  function tryBegin(): boolean {
    try {
      db.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isBusy(error)) {
        return false;
      }
      throw error;
    }
  }

  return {
    begin() {
      const startMs = performance.now();
      const pauseMs = startMs < contendedUntilMs ? endedAtMs + YIELD_MS - startMs : 0;
      if (pauseMs > 0) {
        sleep(pauseMs);
      }
      if (tryBegin()) {
        return;
      }
      do {
        sleep(TRY_EVERY_MS);
        contendedUntilMs = performance.now() + CONTENDED_MS;
        if (tryBegin()) {
          return;
        }
      } while (performance.now() - startMs < WAIT_MAX_MS);
      db.exec('BEGIN IMMEDIATE');
    },
    ended() {
      endedAtMs = performance.now();
    },
  };
}
