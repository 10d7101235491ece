import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import type { Store } from '../../domain/ports.ts';
import { createTurns } from '../turns.ts';
import {
  ALLOW_LONG_STATEMENTS,
  type Database,
  IDLE_IN_REQUEST_MS,
  LIMIT_STATEMENTS,
  LOCK_TIMEOUT_MS,
  patiently,
  releaseAfter,
} from './connection.ts';
import { closedError, faultKind, toDomainError } from './faults.ts';
import {
  type Call,
  createRunner,
  type Execute,
  type Runner,
  type Statement,
  type Value,
} from './statement.ts';
import type { WritePools } from './write-pools.ts';

const QUEUE_MAX = 20_000;
const ATTEMPTS_MAX = 10;
/** First key of our advisory locks ("GBK1"). `post_transactions` takes the writers' lock too. */
export const LOCK_SPACE = 0x47424b31;
const WRITERS_LOCK = 1;

const SETTINGS = `SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`;
// Other writers of the guild wait for its locks, so the server ends the transaction soon when this process is paused.
const IDLE = `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_REQUEST_MS}`;
const begin = (statements: string) => `BEGIN; ${SETTINGS}; ${IDLE}; ${statements};
  SELECT pg_advisory_xact_lock_shared(${LOCK_SPACE}, ${WRITERS_LOCK})`;
const BEGIN = begin(LIMIT_STATEMENTS);
const BEGIN_LONG = begin(ALLOW_LONG_STATEMENTS);
/**
 * Begins a transaction that excludes all other writers. It has no idle timeout, because it may wait long between two
 * statements: for the input of a strict import, or for a copy to another store.
 */
export function lockWritersOut({ isDistributed }: Pick<Database, 'isDistributed'>): string {
  const lock = `BEGIN; ${SETTINGS}; ${ALLOW_LONG_STATEMENTS}; SET LOCAL idle_in_transaction_session_timeout = 0;
    SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${WRITERS_LOCK})`;
  return isDistributed ? `${lock}; ${ONE_CONNECTION_EACH}; ${HOLD_MACHINES}` : lock;
}
/**
 * On a distributed store, a post takes its lock on the node that has its guild. Excluding writers therefore locks
 * every node, after the lock above. With one connection to each node, all statements of the transaction run on the
 * connection that holds that node's lock.
 */
export const ONE_CONNECTION_EACH = 'SET LOCAL citus.max_adaptive_executor_pool_size = 1';
const HOLD_MACHINES = 'SELECT count(*) FROM guild_ledger WHERE hold_writers()';

export interface Writer {
  /**
   * Runs a unit of work in one transaction and resolves when its commit is on disk. Units of one lane run one at a
   * time, in the order of the calls. After a conflict the transaction is rolled back and the work runs again, so it
   * must not have effects outside the store.
   */
  write<Result>(lane: string, work: Work<Result>): Promise<Result>;
  /** Like `write`, with the time limits of long statements. */
  writeLong<Result>(lane: string, work: Work<Result>): Promise<Result>;
  /**
   * Runs one statement as a whole transaction, and again after a conflict. Takes one round trip, except behind a pooler:
   * its sessions lack our settings, so the statement runs between BEGIN and COMMIT.
   */
  writeOnce<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Row | undefined>;
  /**
   * Like `writeOnce`, for calls of the append functions. These apply our settings themselves, so they take one round trip
   * behind a pooler too. A process that is paused then leaves no transaction open that holds the lock of a guild.
   */
  append<Row>(call: Call<Row>): Promise<Row | undefined>;
  /** Like `append`, in the order of the lane. `call` makes the values when the lane reaches it. */
  appendInTurn<Row>(lane: string, call: () => Promise<Call<Row>>): Promise<Row | undefined>;
  /**
   * Counts a write as pending from its submission on, so that `close` waits for it. Refuses it when QUEUE_MAX are
   * pending.
   */
  admit<Result>(submit: () => Promise<Result>): Promise<Result>;
  allOrNothing: Store['allOrNothing'];
  /** True while an `allOrNothing` transaction is open. Writes with their own transaction would wait for its end. */
  isHeld(): boolean;
  /** Waits for pending writes and refuses later ones. */
  close(): Promise<void>;
}

type Work<Result> = (transaction: Runner) => Promise<Result>;

/** Runs work in a transaction of its own, or as a part of the open `allOrNothing` transaction. */
type Transact = <Result>(
  work: Work<Result>,
  options: { pool: () => pg.Pool; isLong?: boolean },
) => Promise<Result>;

export function createWriter(pools: WritePools, database: Database): Writer {
  const { isPooled } = database;
  const { check } = pools;
  const isNamed = !isPooled;
  const onConflict = () => database.events.onRepeat?.('conflict');
  const underWay = new Set<Promise<unknown>>();
  const inTurn = createTurns<string>();
  let held: Transact | undefined;
  let isClosed = false;

  // Each attempt chooses its connections anew, because a conflict can mean that the guild has moved to another node.
  const transact: Transact = (work, options) =>
    held === undefined
      ? repeatedly(async () => {
          const { pool, isLong = false } = options;
          return inTransaction(pool(), { isNamed, isLong, check }, work);
        }, onConflict)
      : held(work, options);

  function admit<Result>(submit: () => Promise<Result>): Promise<Result> {
    if (isClosed) {
      return Promise.reject(closedError());
    }
    if (underWay.size >= QUEUE_MAX) {
      return Promise.reject(new DomainError('overloaded', { retryAfterSeconds: 1 }));
    }
    const answer = submit().catch((error) => {
      throw toDomainError(error);
    });
    underWay.add(answer);
    const forget = () => underWay.delete(answer);
    answer.then(forget, forget);
    return answer;
  }

  function writeAs<Row>(isWhole: boolean, call: Call<Row>): Promise<Row | undefined> {
    const run = (runner: Runner) => runner.first(call.statement, call.values);
    const pool = () => pools.ofCall(call);
    return held === undefined && isWhole
      ? repeatedly(async () => inOneStatement(pool(), isNamed, run), onConflict)
      : transact(run, { pool });
  }

  function writeIn<Result>(lane: string, work: Work<Result>, isLong: boolean): Promise<Result> {
    return admit(() => inTurn(lane, () => transact(work, { pool: () => pools.ofLane(lane), isLong })));
  }

  const append = <Row>(call: Call<Row>) => writeAs(true, call);

  async function drain(): Promise<void> {
    while (underWay.size > 0) {
      await Promise.allSettled(underWay);
    }
  }

  return {
    admit,
    write: (lane, work) => writeIn(lane, work, false),
    writeLong: (lane, work) => writeIn(lane, work, true),
    writeOnce: (statement, values) => writeAs(!isPooled, { statement, values }),
    append,
    appendInTurn: (lane, call) => admit(() => inTurn(lane, async () => append(await call()))),
    async allOrNothing(work) {
      if (isClosed) {
        throw closedError();
      }
      await drain();
      return inTurn('all or nothing', () =>
        holding(pools.common, database, async (part) => {
          held = part;
          try {
            return await work();
          } finally {
            await drain();
            held = undefined;
          }
        }),
      );
    },
    isHeld: () => held !== undefined,
    async close() {
      isClosed = true;
      await drain();
    },
  };
}

/**
 * Repeats an attempt that met a conflict, up to ATTEMPTS_MAX attempts in all. The other transaction has committed by
 * then, so the next attempt sees its changes.
 */
export async function repeatedly<Result>(
  attempt: () => Promise<Result>,
  onConflict: () => void,
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (faultKind(error) !== 'conflict' || count === ATTEMPTS_MAX) {
        throw error;
      }
      onConflict();
    }
  }
}

/** Runs a single statement outside of a transaction block. */
async function inOneStatement<Result>(
  pool: pg.Pool,
  isNamed: boolean,
  run: (runner: Runner) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await run(createRunner((query) => client.query(query), isNamed));
    client.release();
    return result;
  } catch (error) {
    // `pool.query` would end the connection after any error. After a conflict the connection is still usable.
    releaseAfter(client, error);
    throw error;
  }
}

async function inTransaction<Result>(
  pool: pg.Pool,
  { isNamed, isLong, check }: { isNamed: boolean; isLong: boolean } & Pick<WritePools, 'check'>,
  work: Work<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const execute: Execute = (query) => client.query(isLong ? patiently(query) : query);
  try {
    await client.query(isLong ? BEGIN_LONG : BEGIN);
    const result = await work(createRunner(execute, isNamed, check));
    await commit(execute);
    client.release();
    return result;
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

/** Holds one transaction open for many units of work. Each is a savepoint and can fail without the others. */
async function holding<Result>(
  pool: pg.Pool,
  database: Database,
  use: (part: Transact) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error) => {
    throw toDomainError(error);
  });
  const execute: Execute = (query) => client.query(patiently(query));
  const runner = createRunner(execute, !database.isPooled);
  const inTurn = createTurns<string>();
  const part: Transact = (work) =>
    inTurn('parts', async () => {
      await client.query('SAVEPOINT part');
      try {
        const result = await work(runner);
        await client.query('RELEASE part');
        return result;
      } catch (error) {
        await client.query('ROLLBACK TO part; RELEASE part');
        throw error;
      }
    });
  try {
    await execute({ text: lockWritersOut(database) });
    const result = await use(part);
    await commit(execute);
    client.release();
    return result;
  } catch (error) {
    await giveBack(client, error);
    // Errors of the work itself reach the caller unchanged. Connection and server errors become a DomainError.
    throw faultKind(error) === 'passing' ? toDomainError(error) : error;
  }
}

/**
 * After a failed statement, COMMIT rolls the transaction back without an error; only the command it reports differs.
 */
async function commit(execute: Execute): Promise<void> {
  const { command } = await execute({ text: 'COMMIT' });
  if (command !== 'COMMIT') {
    throw new Error('the transaction was undone instead of committed');
  }
}

/** Rolls the transaction back. A connection that may be broken is ended instead, which rolls it back as well. */
async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (!(error instanceof DomainError) && faultKind(error) === 'passing') {
    releaseAfter(client, error);
    return;
  }
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}
