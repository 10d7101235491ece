import { DomainError } from '../../domain/errors.ts';
import { type Database, IDLE_IN_REQUEST_MS, openClient, openPool } from './connection.ts';
import { closedError, toDomainError } from './faults.ts';
import type { OpenReader } from './read-rows.ts';
import { createRunner, type Runner, type Snapshot } from './statement.ts';

/** Reads that may wait for a connection. More are refused at once. */
const WAITING_MAX = 10_000;
/** Streams that may be open at one time, each on a connection of its own. */
const READINGS_MAX = 8;

// Behind a pooler the transaction keeps a server connection that other instances need.
const BEGIN_SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_REQUEST_MS}`;

export interface Reads {
  read: Runner;
  inSnapshot: Snapshot;
  openReader: OpenReader;
  /** Refuses later reads; pending ones get their answers. */
  close(): Promise<void>;
}

/** The reads of the store. They have their own connections, so that writers waiting for locks never delay them. */
export function createReads(database: Database): Reads {
  const pool = openPool(database);
  const isNamed = !database.isPooled;
  let isClosed = false;

  /** Refuses reads when the store is closed or overloaded, and translates errors. */
  async function admit<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isClosed) {
      throw closedError();
    }
    if (pool.waitingCount >= WAITING_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: 1 });
    }
    try {
      return await work();
    } catch (error) {
      throw toDomainError(error);
    }
  }

  const inSnapshot: Snapshot = (work) =>
    admit(async () => {
      const client = await pool.connect();
      try {
        await client.query(BEGIN_SNAPSHOT);
        const result = await work(createRunner((query) => client.query(query), isNamed));
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        client.release(true);
        throw error;
      }
    });

  return {
    read: createRunner((query) => admit(() => pool.query(query)), isNamed),
    inSnapshot,
    openReader: createOpenReader(database, () => isClosed),
    close() {
      isClosed = true;
      return pool.end();
    },
  };
}

function createOpenReader(database: Database, isClosed: () => boolean): OpenReader {
  let open = 0;
  return async () => {
    if (isClosed()) {
      throw closedError();
    }
    if (open >= READINGS_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: 1 });
    }
    open += 1;
    try {
      const client = await openClient(database);
      client.once('end', () => {
        open -= 1;
      });
      return client;
    } catch (error) {
      open -= 1;
      throw toDomainError(error);
    }
  };
}
