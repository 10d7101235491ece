import type { DatabaseSync } from 'node:sqlite';
import { SQLITE } from '../dialect.ts';
import type { RowsToStream } from '../jobs.ts';
import { textOf } from '../sql.ts';
import { prepare } from './connection.ts';
import { toDomainError } from './faults.ts';
import { toInput } from './sql.ts';

/** Rows read in one turn of the event loop: few enough that other work is not delayed while a large table is read. */
const ROWS_PER_TURN = 100;

/** A connection for one long reading. */
export interface RowReader {
  db: DatabaseSync;
  /** Throws when the WAL grew too long, because the reading's snapshot prevents its reset. */
  assertMayGoOn(): void;
  close(): void;
}

/** Opens one more connection for reading. The caller closes it. */
export type OpenReader = () => RowReader;

/**
 * Streams any number of rows in constant memory from one snapshot, which the open statement holds. It needs its own
 * connection: on the store's connection every other read, of keys too, would see that old snapshot until the end.
 */
export async function* readRows<Row, Item>(
  options: RowsToStream<Row, Item> & { openReader: OpenReader },
): AsyncGenerator<Item> {
  const { openReader, statement, values, isWanted = () => true, convert } = options;
  const reader = openReader();
  let count = 0;
  try {
    for (const row of prepare<Row>(reader.db, textOf(statement, SQLITE)).iterate(...values.map(toInput))) {
      if (isWanted(row)) {
        yield convert(row);
        reader.assertMayGoOn();
      }
      count += 1;
      if (count % ROWS_PER_TURN === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        reader.assertMayGoOn();
      }
    }
  } catch (error) {
    throw toDomainError(error);
  } finally {
    reader.close();
  }
}
