import { DomainError } from '../../domain/errors.ts';
import { openClient, openPool, type Target } from './connection.ts';
import { closedError, toDomainError } from './faults.ts';
import type { OpenReader } from './read-rows.ts';
import { createRunner, type Runner, type Snapshot } from './statement.ts';

/** Reads waiting for a connection; beyond this many they are refused at once. */
const WAITING_MAX = 10_000;
/** Readings of whole tables at one time, each with a connection of its own. */
const READINGS_MAX = 8;

export interface Reads {
  read: Runner;
  inSnapshot: Snapshot;
  openReader: OpenReader;
  /** Later reads are refused; those under way get their answers. */
  close(): Promise<void>;
}

/** The reading side of the store, with connections of its own, so that waiting for a lock never holds up a read. */
export function createReads(target: Target): Reads {
  const pool = openPool(target);
  const isNamed = !target.isPooled;
  let isClosed = false;

  /** Refuses what cannot be served and gives failures the port's form. */
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
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
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
    openReader: createOpenReader(target, () => isClosed),
    close() {
      isClosed = true;
      return pool.end();
    },
  };
}

function createOpenReader(target: Target, isClosed: () => boolean): OpenReader {
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
      const client = await openClient(target);
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
