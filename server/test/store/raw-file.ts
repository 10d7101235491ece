import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';

const BUSY_TIMEOUT_MS = 30_000;

/**
 * A connection to a store's file with none of the store's code in between. A store may be at work on the file, on this
 * thread, on another one or in another process: its locks are waited for, because meeting one is no failure.
 */
export function openRaw(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, ...options });
}
