import type pg from 'pg';
import { type Database, openClient } from './connection.ts';

/** True when Citus distributes the tables of the connection's store by guild. */
export async function isDistributedStore(client: pg.Client): Promise<boolean> {
  // Without the extension this catalogue table does not exist, and naming it would be an error.
  const { rows } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS "isThere"`,
  );
  if (rows[0]?.isThere !== true) {
    return false;
  }
  const { rowCount } = await client.query(
    `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('guild_ledger') AND partmethod = 'h'`,
  );
  return rowCount === 1;
}

/** Reads once whether the store is distributed. This does not change while the store is served. */
export async function readDistribution(database: Database): Promise<Database> {
  const client = await openClient(database);
  try {
    return { ...database, isDistributed: await isDistributedStore(client) };
  } finally {
    await client.end();
  }
}
