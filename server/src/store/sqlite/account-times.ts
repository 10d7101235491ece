import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './connection.ts';

/**
 * Finds the first seq of an account whose time is not before the given one, or `count + 1`. Creation times never
 * decrease along seq, so a binary search over the primary key finds it without an index on times.
 */
export function createFirstNotBefore(db: DatabaseSync) {
  const findTime = prepare<{ createdAtMs: number }>(
    db,
    `SELECT created_at AS createdAtMs FROM ledger_transaction WHERE guild_no = ? AND account_no = ? AND seq = ?`,
  );
  return (
    { guildNo, accountNo, count }: { guildNo: number; accountNo: number; count: number },
    timeMs: number,
  ): number => {
    let low = 1;
    let high = count + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      // A seq without a row is archived, hence older than every row.
      if ((findTime.get(guildNo, accountNo, middle)?.createdAtMs ?? Number.NEGATIVE_INFINITY) < timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
}
