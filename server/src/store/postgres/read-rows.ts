import type pg from 'pg';
import { POSTGRES } from '../dialect.ts';
import type { RowsToStream } from '../jobs.ts';
import { textOf } from '../sql.ts';
import { toDomainError } from './faults.ts';
import type { Statement, Value } from './statement.ts';

/** Rows of one FETCH, which is all that a stream holds in memory. */
const ROWS_PER_FETCH = 1_000;

/** Opens one more connection for reading the rows of a statement. The caller ends it. */
export type OpenReader = (rows: {
  statement: Statement<unknown>;
  values: readonly Value[];
}) => Promise<pg.Client>;

/**
 * Streams any number of rows in constant memory from one snapshot, through a cursor in a REPEATABLE READ transaction.
 * A consumer that stops early ends the connection, and with it the cursor and the transaction.
 */
export async function* readRows<Row extends object, Item>(
  options: RowsToStream<Row, Item> & { openReader: OpenReader },
): AsyncGenerator<Item> {
  const { openReader, statement, values, isWanted = () => true, convert } = options;
  const client = await openReader({ statement, values });
  try {
    await beginReading(client);
    for await (const row of fetchRows<Row>(client, textOf(statement, POSTGRES), values)) {
      if (isWanted(row)) {
        yield convert(row);
      }
    }
  } catch (error) {
    throw toDomainError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Begins a transaction whose reads all see one snapshot. */
export async function beginReading(client: pg.Client): Promise<void> {
  // The consumer of the rows may be slow, and no writer waits for a reader, so there is no idle timeout.
  await client.query(
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0',
  );
}

/** Yields the rows of one query, fetching ROWS_PER_FETCH at a time. The connection must be in a transaction. */
export async function* fetchRows<Row extends object>(
  client: pg.Client,
  sql: string,
  values: readonly Value[] = [],
): AsyncGenerator<Row> {
  await client.query(`DECLARE reading NO SCROLL CURSOR FOR ${sql}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${ROWS_PER_FETCH} FROM reading`);
    yield* rows;
    if (rows.length < ROWS_PER_FETCH) {
      break;
    }
  }
  await client.query('CLOSE reading');
}
