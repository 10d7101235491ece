import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../../domain/errors.ts';
import { buildSql, type DdlOperation, dropSql, nextName, renameSql } from './ddl-operations.ts';
import { LOCK_SPACE } from './transactions.ts';

/** Versions up to 0.2 hold this advisory lock while they apply a step. Each of our transactions takes it too. */
export const MIGRATION_LOCK = 2;
/** While a statement waits for a strong lock, all later statements on the table wait behind it. */
const LOCK_WAIT_MS = 200;
/** No lock is held for longer than this. */
const STATEMENT_MS = 1_000;
const PAUSE_MS = 1_000;
/** About ten minutes. */
const ATTEMPTS_MAX = 500;
/** A statement that takes too long as often as this does more than change the catalogue. */
const SLOW_ATTEMPTS_MAX = 5;
const WATCH_MS = 250;

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const DEADLOCK_DETECTED = '40P01';

const SETTINGS = `SET LOCAL lock_timeout = ${LOCK_WAIT_MS}; SET LOCAL synchronous_commit = on;
  SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${MIGRATION_LOCK})`;
const BEGIN_SHORT = `BEGIN; SET LOCAL statement_timeout = ${STATEMENT_MS}; ${SETTINGS}`;
const BEGIN_LONG = `BEGIN; SET LOCAL statement_timeout = 0; ${SETTINGS}`;

export interface DdlOptions {
  /** Called in the transaction of the operation's last statement. */
  record: () => Promise<void>;
  /** Called when a statement will be repeated after a pause. */
  onRepeat: (reason: string) => void;
  stop?: AbortSignal | undefined;
}

/**
 * Runs an operation beside others that read and write the tables. A statement that does not get its lock soon gives up, so that
 * nobody waits behind it for long, and is repeated after a pause. The connection must have no time limits of its own.
 */
export async function runOperation(
  client: pg.Client,
  operation: DdlOperation,
  options: DdlOptions,
): Promise<void> {
  const transact = (begin: string, sql: string | undefined) =>
    persistently(() => inTransaction(client, { begin, sql, record: options.record }), options);
  switch (operation.kind) {
    case 'statement':
      return transact(BEGIN_SHORT, operation.sql);
    case 'validate':
      return transact(BEGIN_LONG, operation.sql);
    case 'build index':
      await build(client, operation, operation.index, options);
      return transact(BEGIN_SHORT, undefined);
    case 'drop index':
      await drop(client, operation.index, options);
      return transact(BEGIN_SHORT, undefined);
    case 'replace index':
      await build(client, operation, nextName(operation.index), options);
      await drop(client, operation.index, options);
      return transact(BEGIN_SHORT, renameSql(operation.index));
  }
}

async function inTransaction(
  client: pg.Client,
  { begin, sql, record }: { begin: string; sql: string | undefined } & Pick<DdlOptions, 'record'>,
): Promise<void> {
  try {
    await client.query(begin);
    if (sql !== undefined) {
      await client.query(sql);
    }
    await record();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Builds an index while others write. A build that was interrupted leaves an invalid index, which is dropped and built again.
 */
function build(
  client: pg.Client,
  operation: { sql: string; index: string },
  name: string,
  options: DdlOptions,
): Promise<void> {
  return persistently(async () => {
    let state = await readIndex(client, name);
    while (state?.isUnderWay === true) {
      await pause(WATCH_MS, undefined, { signal: options.stop });
      state = await readIndex(client, name);
    }
    if (state?.isValid === true) {
      return;
    }
    if (state !== undefined) {
      await client.query(dropSql(name));
    }
    await client.query(buildSql(operation, name));
  }, options);
}

function drop(client: pg.Client, index: string, options: DdlOptions): Promise<void> {
  return persistently(async () => {
    await client.query(dropSql(index));
  }, options);
}

interface IndexState {
  isValid: boolean;
  /** True while another connection builds it. */
  isUnderWay: boolean;
}

async function readIndex(client: pg.Client, name: string): Promise<IndexState | undefined> {
  const { rows } = await client.query<IndexState>(
    `SELECT i.indisvalid AS "isValid", EXISTS (SELECT FROM pg_stat_progress_create_index AS p
       WHERE p.datname = current_database() AND p.index_relid = i.indexrelid) AS "isUnderWay"
     FROM pg_index AS i WHERE i.indexrelid = to_regclass($1)`,
    [name],
  );
  return rows[0];
}

/** Repeats an attempt that met a lock, after a pause in which those that waited behind it can go on. */
async function persistently(
  attempt: () => Promise<void>,
  { onRepeat, stop }: Pick<DdlOptions, 'onRepeat' | 'stop'>,
): Promise<void> {
  for (let count = 1, slow = 0; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      slow += code === QUERY_CANCELED ? 1 : 0;
      if (code !== LOCK_NOT_AVAILABLE && code !== QUERY_CANCELED && code !== DEADLOCK_DETECTED) {
        throw error;
      }
      if (slow === SLOW_ATTEMPTS_MAX) {
        throw new OperatorError(`it takes longer than ${STATEMENT_MS / 1_000} s`, { cause: error });
      }
      if (count === ATTEMPTS_MAX) {
        throw new OperatorError(
          'it did not get its lock within ten minutes: look for long transactions in pg_stat_activity, end them and run this again',
          { cause: error },
        );
      }
      onRepeat(error instanceof Error ? error.message : String(error));
      await pause(PAUSE_MS, undefined, { signal: stop });
    }
  }
}
