import { type Sql, statement } from '../sql.ts';
import { type LeafRun, lastOf } from './recent-leaves.ts';

interface Found {
  number: number;
  transactionId: string;
}

// PostgreSQL follows the index by number because of the ORDER BY, whatever its statistics say.
const FIND_IDS = statement<Found>(({ engine }) =>
  engine === 'sqlite'
    ? `SELECT number, transaction_id AS "transactionId" FROM ledger_transaction INDEXED BY ledger_by_number
       WHERE guild_no = $1 AND number IN (SELECT value FROM json_each($2))`
    : `SELECT found.number, found.transaction_id AS "transactionId" FROM unnest($2::bigint[]) AS wanted (number)
       CROSS JOIN LATERAL (SELECT t.number, t.transaction_id FROM ledger_transaction t
         WHERE t.guild_no = $1 AND t.number >= wanted.number ORDER BY t.number LIMIT 1) AS found`,
);

/**
 * The runs whose posts are in the store. When a replica of PostgreSQL takes over, acknowledged posts can be lost, and others get their
 * numbers. A run is one commit, so all of its posts are in the store when the last one is. Call it in a transaction.
 */
export async function confirmRuns(
  sql: Sql,
  guildNo: number,
  runs: readonly LeafRun[],
): Promise<readonly LeafRun[]> {
  if (runs.length === 0) {
    return [];
  }
  await sql.preferIndexes();
  const found = await sql.all(FIND_IDS, [guildNo, runs.map(lastOf)]);
  const ids = new Map(found.map(({ number, transactionId }) => [number, transactionId]));
  return runs.filter((run) => ids.get(lastOf(run)) === run.lastId);
}
