import pg from 'pg';
import { untilTrue } from '../support/patience.ts';
import type { TestDatabase } from './database.ts';

/**
 * Rows that were read of the ledger's tables so far, by what read them. The server counts what a connection read when
 * it ends, some time after its client has gone; only those of the store may be open still.
 */
export async function readCounts(
  { url }: TestDatabase,
  store: 'open' | 'closed',
): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const others = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' ${store === 'open' ? "AND application_name <> 'guildbook'" : ''}`;
  await untilTrue(async () => (await client.query(others)).rowCount === 0);
  const { rows } = await client.query<{ place: string; read: number }>(
    `SELECT relname AS place, seq_tup_read::float8 AS read FROM pg_stat_user_tables
     UNION ALL SELECT indexrelname, idx_tup_read::float8 FROM pg_stat_user_indexes`,
  );
  await client.end();
  return new Map(rows.map(({ place, read }) => [place, read]));
}
