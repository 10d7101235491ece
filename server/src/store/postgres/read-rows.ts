import type pg from 'pg';
import { POSTGRES } from '../dialect.ts';
import type { RowsToStream } from '../jobs.ts';
import { textOf } from '../sql.ts';
import { toDomainError } from './faults.ts';
import type { Value } from './statement.ts';

/** Rows fetched at one go: what a reading holds in memory. */
const ROWS_PER_FETCH = 1_000;

/** Opens one more connection for reading. The caller ends it. */
export type OpenReader = () => Promise<pg.Client>;

/**
 * Reads any number of rows in constant memory, all from one moment: a transaction that repeats its reads keeps its
 * snapshot, and a cursor gives out what is asked for. Who stops early ends the connection, and with it both.
 */
export async function* readRows<Row extends object, Item>(
  options: RowsToStream<Row, Item> & { openReader: OpenReader },
): AsyncGenerator<Item> {
  const { openReader, statement, values, isWanted = () => true, convert } = options;
  const client = await openReader();
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

/** From here on the connection sees one moment. */
export async function beginReading(client: pg.Client): Promise<void> {
  // Whoever takes the rows may be slow, and nobody waits for a reader.
  await client.query(
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0',
  );
}

/** Rows of one query, so many at a time. The connection is in a transaction. */
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
