import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { OperatorError } from '../../domain/errors.ts';
import { isBusy } from './faults.ts';
import { explainFailure, prepareFile } from './store-file.ts';

/** Marks a file as Guildbook's ("GBK1"), so that another program's database is never migrated by mistake. */
const APPLICATION_ID = 0x47424b31;
/** How long a connection waits for another process that opens, closes, recovers or writes the file. */
const BUSY_TIMEOUT_MS = 5_000;
const SYNCHRONOUS_FULL = 2;
const JOURNAL_RETRY_MS = 10;
/** As long as the wait for any other lock. */
const JOURNAL_ATTEMPTS_MAX = BUSY_TIMEOUT_MS / JOURNAL_RETRY_MS;

export interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Rows one by one, all from the snapshot of the first one. */
  iterate(...values: SQLInputValue[]): IterableIterator<Row>;
  run(...values: SQLInputValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

/** Writes `$1` as `?1`: SQLite reads `$1` as a named parameter. */
export function withNumberedValues(sql: string): string {
  return sql.replaceAll(/\$(\d+)/g, '?$1');
}

/** Prepares a statement that will run many times. */
export function prepare<Row = never>(db: DatabaseSync, sql: string): Statement<Row> {
  // The rows have the shape that the SQL beside the call selects; the contract suite runs every statement.
  return db.prepare(withNumberedValues(sql)) as unknown as Statement<Row>;
}

/** Like `prepare`, with rows as lists of their values, which are quicker to make than objects. */
export function prepareLists(
  db: DatabaseSync,
  sql: string,
): Pick<Statement<SQLOutputValue[]>, 'all' | 'get'> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement as unknown as Statement<SQLOutputValue[]>;
}

/** Caches statements by shape, and prepares each at its first use. The set of shapes must be closed. */
export function prepareOnDemand<Row>(db: DatabaseSync): (shape: string, sql: () => string) => Statement<Row> {
  return keepPrepared((sql) => prepare<Row>(db, sql));
}

/** Like `prepareOnDemand`, for statements that are prepared in another way. */
export function keepPrepared<Prepared>(prepareOne: (sql: string) => Prepared) {
  const prepared = new Map<string, Prepared>();
  return (shape: string, sql: () => string): Prepared => {
    let statement = prepared.get(shape);
    if (statement === undefined) {
      statement = prepareOne(sql());
      prepared.set(shape, statement);
    }
    return statement;
  };
}

/**
 * Opens a connection on which a completed commit survives power loss: the write-ahead log is flushed at every commit.
 * The settings are read back, because SQLite ignores those it cannot apply, without an error.
 */
export function openConnection(file: string): DatabaseSync {
  prepareFile(file);
  const db = openDatabase(file, { enableForeignKeyConstraints: true });
  try {
    claimFile(db, file);
    switchToWriteAhead(db);
    db.exec('PRAGMA synchronous = FULL');
    assertPragma(db, 'journal_mode', 'wal');
    assertPragma(db, 'synchronous', SYNCHRONOUS_FULL);
    assertPragma(db, 'foreign_keys', 1);
  } catch (error) {
    db.close();
    throw explainFailure(file, error);
  }
  return db;
}

/** Opens a file as it is. Its statements wait for other processes that open, close, recover or write the file. */
export function openDatabase(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, ...options });
  } catch (error) {
    throw explainFailure(file, error);
  }
}

/** Runs the work in one transaction that takes the write lock at its start, so that the work cannot fail later for want of it. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures, a full disk among them, have rolled back already.
    if (db.isTransaction) {
      db.exec('ROLLBACK');
    }
    throw error;
  }
}

/** Runs synchronous reads that must all see one snapshot. */
export function inSnapshot<Result>(db: DatabaseSync, work: () => Result): Result {
  // `createSnapshot` may have a transaction open for reads that have not ended yet.
  if (db.isTransaction) {
    return work();
  }
  db.exec('BEGIN');
  try {
    return work();
  } finally {
    // Some failures have ended the transaction already.
    if (db.isTransaction) {
      db.exec('COMMIT');
    }
  }
}

/** Moves the whole log into the file and empties it, unless somebody reads from it. Does not wait for readers. */
export function truncateWal(db: DatabaseSync): void {
  const timeoutMs = readPragma(db, 'busy_timeout');
  db.exec('PRAGMA busy_timeout = 0');
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
  }
}

export function readPragma(db: DatabaseSync, name: string): unknown {
  const row = db.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? undefined : Object.values(row)[0];
}

function assertPragma(db: DatabaseSync, name: string, expected: number | string): void {
  const actual = readPragma(db, name);
  if (actual !== expected) {
    throw new OperatorError(
      `the store needs ${name}=${expected}, but its file system gives ${String(actual)}`,
    );
  }
}

function claimFile(db: DatabaseSync, file: string): void {
  // One statement reads both from one snapshot, because another process may be making the same file now.
  const found = prepare<{ id: number; tables: number }>(
    db,
    `SELECT (SELECT application_id FROM pragma_application_id) AS id,
       (SELECT count(*) FROM sqlite_schema) AS tables`,
  ).get();
  if (found?.id === APPLICATION_ID) {
    return;
  }
  if (found?.id !== 0 || found.tables !== 0) {
    throw new OperatorError(`${file} is a database of another program, not a Guildbook store`);
  }
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
}

/**
 * SQLite waits for no lock when it changes the journal mode, so two processes that open a new file can collide here.
 */
function switchToWriteAhead(db: DatabaseSync): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === JOURNAL_ATTEMPTS_MAX) {
        throw error;
      }
      // Opening is synchronous, so the wait is too.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, JOURNAL_RETRY_MS);
    }
  }
}
