import pg from 'pg';
import { OperatorError } from '../../domain/errors.ts';
import { textsOf } from './array-text.ts';
import { faultKind, isUnanswered } from './faults.ts';
import { timeWaits } from './pool-waits.ts';
import { explainUnreachable } from './unreachable.ts';

const VERSION_MIN = 150_000;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How long nothing may happen in a transaction of a request. */
export const IDLE_IN_REQUEST_MS = 2_000;
const IDLE_CONNECTION_MS = 60_000;
const CONNECTIONS_DEFAULT = 10;
const CONNECTIONS_MAX = 500;

/** Time limits of a statement. */
interface Limits {
  /** The server ends the statement after this time. */
  readonly statementMs: number;
  /** After this time the connection is cut. Longer than the other limit: it is for a server that does not answer at all. */
  readonly answerMs: number;
}

/** For the statements that requests wait for. After a failover from a primary that hangs, they fail and can be repeated. */
const REQUEST_LIMITS: Limits = { statementMs: 4_500, answerMs: 5_000 };
/** For long reads, imports, exports and commands. */
const LONG_LIMITS: Limits = { statementMs: 30_000, answerMs: 35_000 };
/** Shorter than the limit of the statement that waits, so that the error names the lock. */
export const LOCK_TIMEOUT_MS = 4_000;
/** Gives the statements of a transaction the server's limit of long statements. */
export const ALLOW_LONG_STATEMENTS = `SET LOCAL statement_timeout = ${LONG_LIMITS.statementMs}`;
/** The server's limit of a request's statements, for transactions behind a pooler. */
export const LIMIT_STATEMENTS = `SET LOCAL statement_timeout = ${REQUEST_LIMITS.statementMs}`;
/** The name of our connections in `pg_stat_activity`. */
export const APPLICATION_NAME = 'guildbook';

const INT8 = pg.types.builtins.INT8;
const INT8_ARRAY = 1016;
const TEXT_ARRAY: number = 1009;

export type PoolName = 'read' | 'replica' | 'write' | 'post' | 'mark' | 'number';
/** Reads that the replica answered, and reads that the primary answered because the replica was late or failed. */
export type ReplicaResult = 'replica' | 'late' | 'failed';

/** Called with what happens on the connections of a store, for the metrics. */
export interface ConnectionEvents {
  /** All connections of a pool were in use, so that somebody waited for one. */
  onPoolWait?: ((pool: PoolName, durationMs: number) => void) | undefined;
  /**
   * A statement was sent again after a conflict with another transaction, or posts were sent again because another
   * transaction held the ledger of their guild (`busy`).
   */
  onRepeat?: ((reason: 'conflict' | 'busy') => void) | undefined;
  /** A read that a replica may answer was answered. */
  onReplicaRead?: ((result: ReplicaResult) => void) | undefined;
}

/** The database, and how to connect to it. */
export interface Database {
  readonly url: string;
  /** Connections for reading, and as many again for writing. */
  readonly connections: number;
  /** True when a transaction pooler such as PgBouncer is between us and the server. */
  readonly isPooled: boolean;
  /** True when the tables are distributed by guild over several nodes. `readDistribution` sets it. */
  readonly isDistributed: boolean;
  /** Time limit for opening a connection. */
  readonly connectMs: number;
  /** The connections of this store that wait for work. */
  readonly idleClients: Set<pg.Client>;
  readonly events: ConnectionEvents;
  /** True for a direct connection to a worker of a distributed store. */
  readonly isWorker?: boolean;
  /** Set for the workers of a distributed store, which can be down while others answer. */
  readonly health?: ServerHealth;
}

export interface ServerHealth {
  /** Throws `store_unavailable` while the server is known not to answer, so that nothing waits for it. */
  assertUp(): void;
  /** Called when a statement got no answer in time. */
  noteUnanswered(): void;
}

/** Takes our own parameters out of the address: `connections=20` and `pooler=transaction`. */
export function parseDatabaseUrl(
  databaseUrl: string,
  events: ConnectionEvents = {},
  setting = 'DATABASE_URL',
): Database {
  const url = new URL(databaseUrl);
  const pooler = url.searchParams.get('pooler');
  const connections = url.searchParams.get('connections') ?? String(CONNECTIONS_DEFAULT);
  url.searchParams.delete('pooler');
  url.searchParams.delete('connections');
  if (pooler !== null && pooler !== 'transaction') {
    throw new OperatorError(`${setting}: pooler must be transaction`);
  }
  if (!/^\d+$/.test(connections) || Number(connections) < 1 || Number(connections) > CONNECTIONS_MAX) {
    throw new OperatorError(`${setting}: connections must be an integer from 1 to ${CONNECTIONS_MAX}`);
  }
  const isPooled = pooler !== null;
  if (!isPooled) {
    // The last setting wins, so this one overrides the options of the address.
    const options = [url.searchParams.get('options') ?? '', '-c synchronous_commit=on'];
    url.searchParams.set('options', options.join(' ').trim());
  }
  return {
    url: url.href,
    connections: Number(connections),
    isPooled,
    isDistributed: false,
    connectMs: CONNECT_TIMEOUT_MS,
    idleClients: new Set(),
    events,
  };
}

/** The same database on another server, with the same user and settings. */
export function atServer(database: Database, { host, port }: { host: string; port: number }): Database {
  const url = new URL(database.url);
  for (const name of ['host', 'hostaddr', 'port']) {
    url.searchParams.delete(name);
  }
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = String(port);
  return { ...database, url: url.href, idleClients: new Set() };
}

/** The settings of every connection. Session settings are sent when it starts and cost no round trip. */
export function connectionOptions({ url, isPooled, connectMs }: Database, limits: Limits): pg.ClientConfig {
  // A pooler shares its sessions with other clients, and refuses to begin one with settings it does not know.
  const session = isPooled
    ? {}
    : {
        statement_timeout: limits.statementMs,
        lock_timeout: LOCK_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      };
  return {
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: connectMs,
    query_timeout: limits.answerMs,
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
  if (oid === TEXT_ARRAY) {
    return toTexts;
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

const parseQuotedTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY, 'text');

function toTexts(text: string): (string | null)[] {
  return textsOf(text, parseQuotedTexts);
}

/** Gives a query the answer limit of long statements instead of that of its connection. */
export function patiently<Query extends object>(query: Query): Query & { query_timeout: number } {
  return { ...query, query_timeout: LONG_LIMITS.answerMs };
}

/**
 * Opens a pool that survives lost connections: an idle connection that was lost is replaced when the next one is
 * needed. Its statements have the limits of requests.
 */
export function openPool(
  database: Database,
  options: pg.ClientConfig = {},
  name: PoolName = 'write',
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(database, REQUEST_LIMITS),
    ...options,
    max: database.connections,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  });
  pool.on('error', () => {});
  timeWaits(pool, (durationMs) => database.events.onPoolWait?.(name, durationMs));
  // A connection in use also reports its end to its query. Without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const { idleClients } = database;
  pool.on('acquire', (client) => idleClients.delete(client));
  pool.on('remove', (client) => idleClients.delete(client));
  pool.on('release', (error, client) => {
    if (isUnanswered(error)) {
      cutIdleClients(database);
      database.health?.noteUnanswered();
    } else {
      idleClients.add(client);
    }
  });
  return pool;
}

/**
 * Cuts the idle connections after one of the store got no answer. They lead to the same server, which may hang: each would
 * make another request wait. New connections find the new primary after a failover.
 */
export function cutIdleClients({ idleClients }: Database): void {
  for (const client of idleClients) {
    client.connection.stream.destroy();
  }
  idleClients.clear();
}

/** Ends the use of a connection after an error. One that may be broken is cut; the pool replaces it. */
export function releaseAfter(client: pg.PoolClient, error: unknown): void {
  client.release(faultKind(error) === 'passing' && error instanceof Error ? error : undefined);
}

/** Opens a single connection with the limits of long statements. The caller ends it. */
export async function openClient(database: Database, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions(database, LONG_LIMITS), ...options });
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
