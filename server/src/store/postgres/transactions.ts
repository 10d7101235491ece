import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import type { Store } from '../../domain/ports.ts';
import { LOCK_TIMEOUT_MS, type Target } from './connection.ts';
import { closedError, faultKind, toDomainError } from './faults.ts';
import { createRunner, type Runner, type Statement, type Value } from './statement.ts';

const QUEUE_MAX = 20_000;
const ATTEMPTS_MAX = 10;
/** Names our advisory locks ("GBK1"), of which this is the writers'. `append_transactions` takes it too. */
export const LOCK_SPACE = 0x47424b31;
const WRITERS_LOCK = 1;

const SETTINGS = `SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`;
const BEGIN = `BEGIN; ${SETTINGS}; SELECT pg_advisory_xact_lock_shared(${LOCK_SPACE}, ${WRITERS_LOCK})`;
/**
 * Begins a transaction during which nobody else writes. Whoever holds it may take long between two statements: a strict
 * import that waits for its input, a copy to another store.
 */
export function lockWritersOut({ isDistributed }: Pick<Target, 'isDistributed'>): string {
  const lock = `BEGIN; ${SETTINGS}; SET LOCAL idle_in_transaction_session_timeout = 0;
    SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${WRITERS_LOCK})`;
  return isDistributed ? `${lock}; ${ONE_CONNECTION_EACH}; ${HOLD_MACHINES}` : lock;
}
/**
 * Where tables are distributed, posts take their lock on the machine that has their guild, so that it is taken on each of
 * them, behind the one that keeps out everything else. All that the transaction does on a machine is then done on the
 * connection that has the lock.
 */
export const ONE_CONNECTION_EACH = 'SET LOCAL citus.max_adaptive_executor_pool_size = 1';
const HOLD_MACHINES = 'SELECT count(*) FROM guild_ledger WHERE hold_writers()';

export interface Writer {
  /**
   * Runs a unit of work in one transaction and resolves when it is on disk. Works of one lane run one after the other
   * in the order given; a work that met a conflict is undone and run again, so it must not change anything but the store.
   */
  write<Result>(lane: string, work: (transaction: Runner) => Promise<Result>): Promise<Result>;
  /**
   * A whole transaction in one statement, run again after a conflict. It takes one round trip, except behind a pooler,
   * whose sessions do not have our settings.
   */
  writeOnce<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Row | undefined>;
  /** The same in the turn of a lane, where its values are made. */
  writeInTurn<Row>(
    lane: string,
    call: () => Promise<{ statement: Statement<Row>; values: readonly Value[] }>,
  ): Promise<Row | undefined>;
  /** Counts a write from its submission on, so that closing waits for it, or refuses it when there are too many. */
  admit<Result>(submit: () => Promise<Result>): Promise<Result>;
  allOrNothing: Store['allOrNothing'];
  /** Whether writes are parts of one that is all or nothing now: those that begin a transaction of their own would wait for it. */
  isHeld(): boolean;
  /** Lets writes under way finish; later ones are refused. */
  close(): Promise<void>;
}

/** Where work runs: in a transaction of its own, or as a part of the one that is held. */
type Transact = <Result>(work: (transaction: Runner) => Promise<Result>) => Promise<Result>;

export function createWriter(pool: pg.Pool, target: Target): Writer {
  const { isPooled } = target;
  const isNamed = !isPooled;
  const underWay = new Set<Promise<unknown>>();
  const inTurn = createTurns();
  let held: Transact | undefined;
  let isClosed = false;

  const transact: Transact = (work) =>
    held === undefined ? repeatedly(() => inTransaction(pool, isNamed, work)) : held(work);

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

  function writeOnce<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Row | undefined> {
    return held === undefined && !isPooled
      ? repeatedly(() => inOneStatement(pool, statement, values))
      : transact((transaction) => transaction.first(statement, values));
  }

  async function drain(): Promise<void> {
    while (underWay.size > 0) {
      await Promise.allSettled(underWay);
    }
  }

  return {
    admit,
    write: (lane, work) => admit(() => inTurn(lane, () => transact(work))),
    writeOnce,
    writeInTurn: (lane, call) =>
      admit(() =>
        inTurn(lane, async () => {
          const { statement, values } = await call();
          return writeOnce(statement, values);
        }),
      ),
    async allOrNothing(work) {
      if (isClosed) {
        throw closedError();
      }
      await drain();
      return inTurn('all or nothing', () =>
        holding(pool, target, async (part) => {
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

/** Runs tasks of one lane one after the other, in the order given, whatever becomes of each. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(lane: string, task: () => Promise<Result>): Promise<Result> => {
    const before = last.get(lane);
    const turn = before === undefined ? task() : before.then(task, task);
    last.set(lane, turn);
    const leave = () => {
      if (last.get(lane) === turn) {
        last.delete(lane);
      }
    };
    turn.then(leave, leave);
    return turn;
  };
}

/** A conflict is settled by trying again: whoever was quicker has committed by then and is seen. */
export async function repeatedly<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (faultKind(error) !== 'conflict' || count === ATTEMPTS_MAX) {
        throw error;
      }
    }
  }
}

async function inOneStatement<Row>(
  pool: pg.Pool,
  statement: Statement<Row>,
  values: readonly Value[],
): Promise<Row | undefined> {
  const client = await pool.connect();
  try {
    const row = await createRunner((query) => client.query(query), true).first(statement, values);
    client.release();
    return row;
  } catch (error) {
    // Not the pool's own query, which ends the connection after any error: a conflict leaves it sound.
    client.release(faultKind(error) === 'passing');
    throw error;
  }
}

async function inTransaction<Result>(
  pool: pg.Pool,
  isNamed: boolean,
  work: (transaction: Runner) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(BEGIN);
    const result = await work(createRunner((query) => client.query(query), isNamed));
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

/** Holds one transaction open over many works, each of which is a part that can fail without the rest. */
async function holding<Result>(
  pool: pg.Pool,
  target: Target,
  use: (part: Transact) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error) => {
    throw toDomainError(error);
  });
  const runner = createRunner((query) => client.query(query), !target.isPooled);
  const inTurn = createTurns();
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
    await client.query(lockWritersOut(target));
    const result = await use(part);
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    await giveBack(client, error);
    // What the work itself rejected with goes to the caller as it is; the store's own failures get the port's form.
    throw faultKind(error) === 'passing' ? toDomainError(error) : error;
  }
}

/** A transaction that had failed before answers a commit by undoing itself, without an error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') {
    throw new Error('the transaction was undone instead of committed');
  }
}

/** Undoes the transaction. A connection that is in doubt is ended instead, which undoes it as well. */
async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (!(error instanceof DomainError) && faultKind(error) === 'passing') {
    client.release(true);
    return;
  }
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}
