import type pg from 'pg';
import type { QueryConfig, QueryResult } from 'pg';
import { DomainError } from '../../domain/errors.ts';
import {
  ALLOW_LONG_STATEMENTS,
  type Database,
  IDLE_IN_REQUEST_MS,
  openClient,
  openPool,
  patiently,
} from './connection.ts';
import { closedError, toDomainError } from './faults.ts';
import type { OpenReader } from './read-rows.ts';
import { createRunner, type Runner, type Snapshot } from './statement.ts';

/** Reads that may wait for a connection. More are refused at once. */
const WAITING_MAX = 10_000;
/** Streams that may be open at one time, each on a connection of its own. */
const READINGS_MAX = 8;

// Behind a pooler the transaction keeps a server connection that other instances need, so it must not be idle for long.
const LONG_READ_SETTINGS = `${ALLOW_LONG_STATEMENTS};
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_REQUEST_MS}`;
const BEGIN_SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LONG_READ_SETTINGS}`;
const BEGIN_LONG_READ = `BEGIN READ ONLY; ${LONG_READ_SETTINGS}`;

export interface Reads {
  /** Single statements with the time limits of requests. */
  read: Runner;
  /** Single statements with the time limits of long reads. */
  readLong: Runner;
  /** Has the time limits of long reads. */
  inSnapshot: Snapshot;
  openReader: OpenReader;
}

/** Reads on one server. */
export interface ServerReads extends Reads {
  /** Reads that wait for a connection. */
  waiting(): number;
  /** Refuses later reads; pending ones get their answers. */
  close(): Promise<void>;
}

/** Runs on each connection before a read uses it. A rejection refuses the read. */
type BeforeRead = (client: pg.ClientBase) => Promise<void>;

/**
 * The reads of the store. They have their own connections, so that writers waiting for locks never delay them. With
 * `beforeRead` they are those of a replica.
 */
export function createReads(database: Database, beforeRead?: BeforeRead): ServerReads {
  const pool = openPool(database, { pipeline: true }, beforeRead === undefined ? 'read' : 'replica');
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
    database.health?.assertUp();
    try {
      return await work();
    } catch (error) {
      throw toDomainError(error);
    }
  }

  async function onClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      await beforeRead?.(client);
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      throw error;
    }
  }

  const inSnapshot: Snapshot = (work) =>
    admit(() =>
      onClient(async (client) => {
        await client.query(BEGIN_SNAPSHOT);
        const result = await work(createRunner((query) => client.query(patiently(query)), isNamed));
        await client.query('COMMIT');
        return result;
      }),
    );

  /** Sends a transaction of one statement in one round trip. BEGIN has the limit of requests: it shows whether the server answers. */
  function runLong(query: QueryConfig): Promise<QueryResult> {
    return onClient(async (client) => {
      const [, result] = await Promise.all([
        client.query(BEGIN_LONG_READ),
        client.query(patiently(query)),
        client.query(patiently({ text: 'COMMIT' })),
      ]);
      return result;
    });
  }

  const run = (query: QueryConfig) =>
    beforeRead === undefined ? pool.query(query) : onClient((client) => client.query(query));

  return {
    read: createRunner((query) => admit(() => run(query)), isNamed),
    readLong: createRunner((query) => admit(() => runLong(query)), isNamed),
    inSnapshot,
    openReader: createOpenReader(database, { isClosed: () => isClosed, beforeRead }),
    waiting: () => pool.waitingCount,
    close() {
      isClosed = true;
      return pool.end();
    },
  };
}

function createOpenReader(
  database: Database,
  { isClosed, beforeRead }: { isClosed: () => boolean; beforeRead: BeforeRead | undefined },
): OpenReader {
  let open = 0;
  return async () => {
    if (isClosed()) {
      throw closedError();
    }
    if (open >= READINGS_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: 1 });
    }
    open += 1;
    const client = await openClient(database).catch((error) => {
      open -= 1;
      throw toDomainError(error);
    });
    client.once('end', () => {
      open -= 1;
    });
    try {
      await beforeRead?.(client);
      return client;
    } catch (error) {
      // A server that hangs would not answer to an orderly end.
      client.connection.stream.destroy();
      throw toDomainError(error);
    }
  };
}
