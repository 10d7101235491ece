import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';

/**
 * A process that opens or closes the file, or recovers it after a crash, holds a lock for a moment in which nobody can
 * read. The bound is for a process that was suspended in that moment by a busy machine.
 */
const BUSY_TIMEOUT_MS = 60_000;

/** Looks into the file of an embedded store, whatever other processes do with it meanwhile. */
export function readStore<Result>(file: string, read: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Opens the file past the service, to look into it for longer, to change it or to hold its lock. The caller closes it. */
export function openStoreFile(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, ...options });
}

/** How many rows a table has by now. */
export function countRows(file: string, table: string): number {
  const count = readStore(file, (db) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  return Number(count);
}

/** The names of all transactions, sorted. */
export function transactionNames(file: string): string[] {
  const rows = readStore(file, (db) => db.prepare('SELECT name FROM ledger_transaction').all());
  return rows.map(({ name }) => String(name)).sort();
}
