import pg from 'pg';
import { OperatorError } from '../../domain/errors.ts';
import { faultKind } from './faults.ts';
import { explainUnreachable } from './unreachable.ts';

const VERSION_MIN = 150_000;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * Longer than the server's own timeout, whose error says more. This one is for a server that does not answer at all.
 */
const ANSWER_TIMEOUT_MS = 35_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How long nothing may happen in a transaction of a request. */
export const IDLE_IN_REQUEST_MS = 2_000;
const IDLE_CONNECTION_MS = 60_000;
const CONNECTIONS_DEFAULT = 10;
const CONNECTIONS_MAX = 500;
export const LOCK_TIMEOUT_MS = 5_000;
/** The name of our connections in `pg_stat_activity`. */
export const APPLICATION_NAME = 'guildbook';

const INT8 = pg.types.builtins.INT8;
const INT8_ARRAY = 1016;

/** The database, and how to connect to it. */
export interface Database {
  readonly url: string;
  /** Connections for reading, and as many again for writing. */
  readonly connections: number;
  /** True when a transaction pooler such as PgBouncer is between us and the server. */
  readonly isPooled: boolean;
  /** True when the tables are distributed by guild over several nodes. `readDistribution` sets it. */
  readonly isDistributed: boolean;
}

/** Takes our own parameters out of the address: `connections=20` and `pooler=transaction`. */
export function parseDatabaseUrl(databaseUrl: string): Database {
  const url = new URL(databaseUrl);
  const pooler = url.searchParams.get('pooler');
  const connections = url.searchParams.get('connections') ?? String(CONNECTIONS_DEFAULT);
  url.searchParams.delete('pooler');
  url.searchParams.delete('connections');
  if (pooler !== null && pooler !== 'transaction') {
    throw new OperatorError('DATABASE_URL: pooler must be transaction');
  }
  if (!/^\d+$/.test(connections) || Number(connections) < 1 || Number(connections) > CONNECTIONS_MAX) {
    throw new OperatorError(`DATABASE_URL: connections must be an integer from 1 to ${CONNECTIONS_MAX}`);
  }
  const isPooled = pooler !== null;
  if (!isPooled) {
    // The last setting wins, so this one overrides the options of the address.
    const options = [url.searchParams.get('options') ?? '', '-c synchronous_commit=on'];
    url.searchParams.set('options', options.join(' ').trim());
  }
  return { url: url.href, connections: Number(connections), isPooled, isDistributed: false };
}

/** The settings of every connection. Session settings are sent when it starts and cost no round trip. */
export function connectionOptions({ url, isPooled }: Database): pg.ClientConfig {
  // A pooler shares its sessions with other clients, and refuses to begin one with settings it does not know.
  const session = isPooled
    ? {}
    : {
        statement_timeout: STATEMENT_TIMEOUT_MS,
        lock_timeout: LOCK_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      };
  return {
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser },
    ...session,
  };
}

/** Parses bigint as number. Values outside the safe range are not stored; one would be a defect, and throws. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) {
    return toSafeInteger;
  }
  if (oid === INT8_ARRAY) {
    return toSafeIntegers;
  }
  return pg.types.getTypeParser(oid, format);
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new Error(`the store gave ${text}, which a number does not hold exactly`);
  }
  return value;
}

function toSafeIntegers(text: string): (number | null)[] {
  const inner = text.slice(1, -1);
  return inner === '' ? [] : inner.split(',').map((part) => (part === 'NULL' ? null : toSafeInteger(part)));
}

/**
 * Opens a pool that survives lost connections: an idle connection that was lost is replaced when the next one is
 * needed.
 */
export function openPool(database: Database, options: pg.ClientConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(database),
    ...options,
    max: database.connections,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  });
  pool.on('error', () => {});
  // A connection in use also reports its end to its query. Without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Opens a single connection. The caller ends it. */
export async function openClient(database: Database, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions(database), ...options });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Refuses a server that is too old, would lose acknowledged posts, or has another encoding than UTF8. */
export async function assertServer(database: Database): Promise<void> {
  const client = await reach(database);
  try {
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS release,
         current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding`,
    );
    const { version, release, fsync, encoding } = rows[0];
    if (version < VERSION_MIN) {
      throw new OperatorError(`the store needs PostgreSQL 15 or newer, the server is ${release}`);
    }
    if (fsync !== 'on') {
      throw new OperatorError(
        'the PostgreSQL server runs with fsync=off and would lose acknowledged posts: turn it on',
      );
    }
    if (encoding !== 'UTF8') {
      throw new OperatorError(`the database must have the encoding UTF8, it has ${encoding}`);
    }
  } finally {
    await client.end();
  }
}

/** Connects for the first time, and explains a failure: the address may be wrong. */
async function reach(database: Database): Promise<pg.Client> {
  try {
    return await openClient(database);
  } catch (error) {
    throw faultKind(error) === 'passing' ? explainUnreachable(database.url, error) : error;
  }
}
