import type pg from 'pg';
import { atServer, type Database, openClient } from './connection.ts';
import type { WorkerNode } from './guild-shards.ts';

/** A worker that is asked for the first time has to answer within this time, because it may hang. */
const FIRST_ANSWER_MS = 2_000;
/** The same for another attempt, after the coordinator got an answer. A machine with much to do may need longer. */
const SECOND_ANSWER_MS = 10_000;

const IDENTIFY = 'SELECT system_identifier::text AS id FROM pg_control_system()';
const IDENTIFY_FROM_COORDINATOR = `SELECT success, result AS id
  FROM master_run_on_worker(ARRAY[$1::text], ARRAY[$2::int], ARRAY[$3::text], false)`;

interface Reaching {
  database: Database;
  node: WorkerNode;
  /** Asks the coordinator. */
  ask: (query: pg.QueryConfig) => Promise<pg.QueryResult>;
}

/** How this instance can use a worker. */
export interface WorkerAccess {
  isDirect: boolean;
  /** Why the worker is not used directly. */
  reason?: string;
  /** Set when the coordinator does not reach the worker either. */
  downBecause?: string;
}

/**
 * Finds out whether this instance can connect to a worker directly. The addresses of workers are those under which the nodes reach one
 * another. From here the same address may lead nowhere or to another server, so its identifier is compared with the one that the
 * coordinator reads.
 */
export async function findAccess({ database, node, ask }: Reaching): Promise<WorkerAccess> {
  const { host, port, isSynced } = node;
  if (database.isPooled) {
    return { isDirect: false, reason: 'DATABASE_URL leads to a pooler' };
  }
  if (!isSynced) {
    return { isDirect: false, reason: 'its metadata is not synchronized' };
  }
  const [here, there] = await Promise.allSettled([
    identify(atServer(database, node), FIRST_ANSWER_MS),
    ask({ text: IDENTIFY_FROM_COORDINATOR, values: [host, port, IDENTIFY] }),
  ]);
  if (there.status === 'rejected') {
    return { isDirect: false, reason: textOf(there.reason), downBecause: textOf(there.reason) };
  }
  const [{ success, id } = { success: false, id: 'no answer' }] = there.value.rows;
  if (success !== true) {
    return { isDirect: false, reason: id, downBecause: id };
  }
  try {
    const found =
      here.status === 'fulfilled' ? here.value : await identify(atServer(database, node), SECOND_ANSWER_MS);
    return found === id
      ? { isDirect: true }
      : { isDirect: false, reason: 'its address leads to another server from here' };
  } catch (error) {
    return { isDirect: false, reason: textOf(error) };
  }
}

function textOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'no answer';
}

async function identify(database: Database, answerMs: number): Promise<string> {
  const client = await openClient(database, {
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  try {
    const { rows } = await client.query<{ id: string }>(IDENTIFY);
    return rows[0]?.id ?? '';
  } finally {
    await client.end();
  }
}
