import { type Sql, statement } from '../sql.ts';
import { type LeafRun, lastOf } from './recent-leaves.ts';

const FIND_IDS = statement<{ number: number; transactionId: string }>(
  ({ isOneOf, indexedBy }) =>
    `SELECT number, transaction_id AS "transactionId" FROM ledger_transaction ${indexedBy('ledger_by_number')}
     WHERE guild_no = $1 AND ${isOneOf('number', { value: '$2', type: 'bigint' })}`,
);

/**
 * The runs whose posts are in the store. Posts can be lost after their acknowledgement when a replica of PostgreSQL takes over, and others
 * then get their numbers. Posts of a guild are committed one after the other, so a run is there when its last post is.
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
