import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { DomainError, OperatorError } from '../../domain/errors.ts';
import { createBatchQueue } from '../batch-queue.ts';
import {
  cutIdleClients,
  type Database,
  openClient,
  parseDatabaseUrl,
  type ReplicaResult,
} from './connection.ts';
import { createReads, type Reads } from './read.ts';
import { prepare, type Runner } from './statement.ts';

/** How long a read waits for the replica to replay what the primary has acknowledged, and how often it looks. */
const CATCH_UP_MS = 100;
const LOOK_EVERY_MS = 5;
/** How long connecting to the replica, and its answer about its position, may take. */
const CONNECT_MS = 500;
const ANSWER_MS = 500;
/** After a replica was late or failed, reads use the primary for this long. Then one read tries the replica. */
const LATE_PAUSE_MS = 1_000;
const FAILED_PAUSE_MS = 5_000;
/** Limits of reads that ask for the position together. Callers limit the pending ones. */
const ASKING_MAX = 10_000;

/** The database of a server, and a position in its WAL in bytes. */
interface Standing {
  system: string;
  database: number;
  position: number;
  timeline: number | null;
}

interface ReplicaStanding extends Standing {
  isReplaying: boolean;
}

const IDENTITY = `s.system_identifier::text AS system, d.oid::bigint AS database`;
const SERVER = `pg_control_system() AS s, pg_database AS d WHERE d.datname = current_database()`;
// A commit is flushed before it is acknowledged, so this position is behind every acknowledged commit.
const PRIMARY_STANDING = prepare<Standing>(
  `SELECT ${IDENTITY}, pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS position,
     ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer AS timeline FROM ${SERVER}`,
);
// A replica without a receiver may have left the timeline of the primary. Only members of `pg_read_all_stats` see the timeline.
const REPLICA_STANDING = `SELECT ${IDENTITY}, coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint AS position,
  (SELECT received_tli FROM pg_stat_wal_receiver) AS timeline,
  pg_is_in_recovery() AND EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isReplaying" FROM ${SERVER}`;

class ReplicaLate extends Error {
  override name = 'ReplicaLate';
}

/** Reads of pages, exports and feeds, which a replica answers while it is current. */
export interface ReplicaReads extends Pick<Reads, 'read' | 'readLong' | 'inSnapshot' | 'openReader'> {
  /** WAL that the replica has not replayed; undefined when it does not answer. */
  lagBytes(): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  url: string;
  database: Database;
  primary: Reads;
}

/**
 * Sends reads to a replica. Each read sees every commit that was acknowledged before its call, as on the primary: it
 * asks the primary for its position and waits until the replica has replayed it. The primary answers when that takes
 * too long or the replica fails.
 */
export function createReplicaReads({ url, database, primary }: ReplicaOptions): ReplicaReads {
  const place = replicaPlace(url, database);
  const positions = createBatchQueue<undefined, Standing>({
    async run(asking) {
      const value = await readPrimary(primary.read);
      return asking.map(() => ({ value }));
    },
    batchMax: ASKING_MAX,
    queueMax: ASKING_MAX,
  });
  const replica = createReads(place, async (client) =>
    waitUntilCurrent(client, await positions.submit(undefined)),
  );
  const route = createRoute({ primary, replica, onRead: database.events.onReplicaRead });
  return {
    read: routeRunner(route, primary, (reads) => reads.read),
    readLong: routeRunner(route, primary, (reads) => reads.readLong),
    inSnapshot: (work) => route((reads) => reads.inSnapshot(work)),
    openReader: (rows) => route((reads) => reads.openReader(rows)),
    async lagBytes() {
      const client = await openClient(place).catch(() => undefined);
      try {
        const needed = await positions.submit(undefined);
        return client && Math.max(0, needed.position - (await readReplica(client)).position);
      } catch {
        return undefined;
      } finally {
        client?.connection.stream.destroy();
      }
    },
    close() {
      // A replica that hangs would not answer to an orderly end.
      cutIdleClients(place);
      return replica.close();
    },
  };
}

function replicaPlace(url: string, { events }: Database): Database {
  return { ...parseDatabaseUrl(url, events, 'READ_DATABASE_URL'), connectMs: CONNECT_MS };
}

/**
 * Refuses the address of a database that is no replica of the store: its positions would mean nothing. A replica that
 * cannot be reached is accepted, and so is one that was promoted.
 */
export async function assertReplica(url: string, primary: Database): Promise<void> {
  if (primary.isDistributed) {
    throw new OperatorError('READ_DATABASE_URL cannot be used with a distributed store\n  Remove it.');
  }
  const client = await openClient(replicaPlace(url, primary)).catch(() => undefined);
  if (client === undefined) {
    return;
  }
  const own = await openClient(primary);
  try {
    const [wanted, found] = [await identify(own), await identify(client)];
    if (wanted !== found) {
      throw new OperatorError(
        'READ_DATABASE_URL is no replica of DATABASE_URL\n  Name the same database on a server that follows the primary by streaming replication.',
      );
    }
  } finally {
    await Promise.all([own.end(), client.end()]);
  }
}

/** The cluster and the database of a connection, the same on the primary and its replicas. */
async function identify(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Standing>(`SELECT ${IDENTITY} FROM ${SERVER}`);
  return `${rows[0]?.system} ${rows[0]?.database}`;
}

async function readPrimary(read: Runner): Promise<Standing> {
  const standing = await read.first(PRIMARY_STANDING);
  if (standing === undefined) {
    throw new Error('the primary has no position');
  }
  return standing;
}

async function readReplica(client: pg.ClientBase): Promise<ReplicaStanding> {
  const query = { text: REPLICA_STANDING, query_timeout: ANSWER_MS };
  const { rows } = await client.query<ReplicaStanding>(query);
  const [standing] = rows;
  if (standing === undefined) {
    throw new Error('the replica has no position');
  }
  return standing;
}

async function waitUntilCurrent(client: pg.ClientBase, needed: Standing): Promise<void> {
  const deadlineMs = performance.now() + CATCH_UP_MS;
  for (;;) {
    const { system, database, timeline, position, isReplaying } = await readReplica(client);
    if (system !== needed.system || database !== needed.database || !isReplaying) {
      throw new Error('the server follows no primary of this database');
    }
    if (timeline !== null && timeline !== needed.timeline) {
      throw new ReplicaLate('the replica has not reached the timeline of the primary');
    }
    if (position >= needed.position) {
      return;
    }
    if (performance.now() >= deadlineMs) {
      throw new ReplicaLate('the replica has not replayed what the primary has acknowledged');
    }
    await pause(LOOK_EVERY_MS);
  }
}

type Route = <Result>(work: (reads: Reads) => Promise<Result>) => Promise<Result>;

interface RouteParts {
  primary: Reads;
  replica: Reads;
  onRead: ((result: ReplicaResult) => void) | undefined;
}

/** After a failure the primary is used for a while. Then one read at a time tries the replica until one succeeds. */
function createRoute({ primary, replica, onRead = () => {} }: RouteParts): Route {
  let pausedBy: Exclude<ReplicaResult, 'replica'> | undefined;
  let retryAtMs = 0;
  let isTrying = false;

  async function attempt<Result>(
    work: (reads: Reads) => Promise<Result>,
  ): Promise<{ result: Result } | undefined> {
    isTrying = pausedBy !== undefined;
    try {
      const result = await work(replica);
      pausedBy = undefined;
      onRead('replica');
      return { result };
    } catch (error) {
      if (isAnswer(error)) {
        throw error;
      }
      const isLate = error instanceof Error && error.cause instanceof ReplicaLate;
      pausedBy = isLate ? 'late' : 'failed';
      retryAtMs = performance.now() + (isLate ? LATE_PAUSE_MS : FAILED_PAUSE_MS);
      return undefined;
    } finally {
      isTrying = false;
    }
  }

  return async (work) => {
    const isUsable = pausedBy === undefined || (!isTrying && performance.now() >= retryAtMs);
    const done = isUsable ? await attempt(work) : undefined;
    if (done !== undefined) {
      return done.result;
    }
    onRead(pausedBy ?? 'failed');
    return work(primary);
  };
}

/** True for an error that a read found in the data, such as an unknown transaction. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof DomainError && !['internal', 'overloaded', 'store_unavailable'].includes(error.code)
  );
}

/** Routes reads; the primary runs everything else. */
function routeRunner(route: Route, primary: Reads, of: (reads: Reads) => Runner): Runner {
  return {
    ...of(primary),
    all: (statement, values) => route((reads) => of(reads).all(statement, values)),
    first: (statement, values) => route((reads) => of(reads).first(statement, values)),
  };
}
