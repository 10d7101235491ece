import type { DatabaseSync } from 'node:sqlite';
import { type Engine, type LongRead, onOneServer, type WriteSet } from '../jobs.ts';
import { LONG_READS } from '../long-reads.ts';
import type { Snapshot, Sql } from '../sql.ts';
import type { WRITES } from '../writes.ts';
import { ROWS_HERE_MAX } from './long-read.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { createSql, type Guarded, guardSql, guardSqlNow } from './sql.ts';

interface EngineParts {
  db: DatabaseSync;
  guarded: Guarded;
  /** Translates the errors of a read. */
  readNow: <Result>(work: () => Result) => Result;
  openReader: OpenReader;
  /** Runs a write by its name on the writer thread. */
  write: (name: never, input: never) => Promise<unknown>;
  /** Runs a read by its name on a reader thread, which is chosen by the number of rows. */
  readElsewhere: (name: never, input: never, rows: number) => Promise<unknown>;
}

/** The engine on which the stored features run. */
export function createEngine(parts: EngineParts): Engine<typeof WRITES, typeof LONG_READS> {
  const { db, guarded, readNow, openReader, write, readElsewhere } = parts;
  const sql = createSql(db);
  const snapshot = createSnapshot(db, sql);
  const inSnapshot: Snapshot = (work) => guarded(() => snapshot(work));
  const read = guardSql(sql, guarded);

  async function readLong(name: keyof typeof LONG_READS, input: never, rows: () => number | Promise<number>) {
    const count = await guarded(rows);
    const run: LongRead<never, unknown> = LONG_READS[name];
    return count > ROWS_HERE_MAX
      ? readElsewhere(name as never, input, count)
      : run.needsNoSnapshot === true
        ? guarded(() => run(sql, input))
        : inSnapshot((moment) => run(moment, input));
  }

  // The threads run the same sets of jobs, so the result has the type of that job.
  return {
    read,
    readNow: guardSqlNow(sql, readNow),
    readAside: read,
    divideByServer: onOneServer,
    stream: (rows) => readRows({ openReader, ...rows }),
    inSnapshot,
    readLong: readLong as Engine<WriteSet, typeof LONG_READS>['readLong'],
    write: write as Engine<typeof WRITES>['write'],
  };
}

/**
 * Runs reads in one transaction, which overlapping reads share. All of them end within one turn of the event loop,
 * because their statements are synchronous. No acknowledged write is missed, because its acknowledgement comes in a
 * later turn.
 */
export function createSnapshot(db: DatabaseSync, sql: Sql): Snapshot {
  let running = 0;
  return async (work) => {
    if (!db.isTransaction) {
      db.exec('BEGIN');
    }
    running += 1;
    try {
      return await work(sql);
    } finally {
      running -= 1;
      // Some failures have ended the transaction already.
      if (running === 0 && db.isTransaction) {
        db.exec('COMMIT');
      }
    }
  };
}
