import type { BalancePoint } from '../../domain/ledger/ledger-views.ts';
import { bucketLengthMs } from '../../domain/ledger/time-buckets.ts';
import { type Sql, statement } from '../sql.ts';
import { type AccountKey, lengthOf } from './listed-account.ts';

/** Points of one bucket of time: its first and last balance, its lowest and its highest. */
const POINTS_PER_BUCKET = 4;

/** All points of a part of an account. Values: those of `spanValues`. */
const EVERY_POINT = statement<BalancePoint>(
  `SELECT created_at AS "atMs", balance_after AS "balanceUnits" FROM ledger_transaction
  WHERE guild_no = $1 AND account_no = $2 AND seq BETWEEN $3 AND $4 ORDER BY seq`,
);

/** The first and the last point of that part. */
const BOTH_ENDS = statement<BalancePoint>(
  `SELECT created_at AS "atMs", balance_after AS "balanceUnits" FROM ledger_transaction
  WHERE guild_no = $1 AND account_no = $2 AND seq IN ($3, $4) ORDER BY seq`,
);

/** Guild, account, first and last seq. An account only grows, so the rows of a part never change. */
export function spanValues({ guildNo, accountNo, count, skipped = 0 }: AccountKey): number[] {
  return [guildNo, accountNo, skipped + 1, count];
}

const ofAccount = (alias: string) => `${alias}.guild_no = $1 AND ${alias}.account_no = $2`;
const firstWith = (balance: string) => `(SELECT e.seq FROM ledger_transaction e WHERE ${ofAccount('e')}
    AND e.seq BETWEEN summed.first AND summed.last AND e.balance_after = summed.${balance} ORDER BY e.seq LIMIT 1)`;

/**
 * The points of each bucket of time. Values: those of `spanValues`, then the length of a bucket. Times never decrease
 * along seq, so each bucket is a range of seqs.
 */
const BUCKET_POINTS = statement<BalancePoint>(
  `WITH summed AS (
    SELECT min(t.seq) AS first, max(t.seq) AS last, min(t.balance_after) AS lowest, max(t.balance_after) AS highest
    FROM ledger_transaction t WHERE ${ofAccount('t')} AND t.seq BETWEEN $3 AND $4 GROUP BY t.created_at / CAST($5 AS bigint)),
  picked AS (
    SELECT summed.first AS seq FROM summed UNION SELECT summed.last FROM summed
    UNION SELECT ${firstWith('lowest')} FROM summed UNION SELECT ${firstWith('highest')} FROM summed)
  SELECT p.created_at AS "atMs", p.balance_after AS "balanceUnits"
  FROM picked JOIN ledger_transaction p ON ${ofAccount('p')} AND p.seq = picked.seq ORDER BY p.seq`,
);

/** The length of the buckets between two points, so that there are at most `pointsMax` points. */
function historyBucketMs(ends: readonly BalancePoint[], pointsMax: number): number {
  const [fromMs, toMs] = [ends[0]?.atMs ?? 0, ends.at(-1)?.atMs ?? 0];
  return bucketLengthMs({ fromMs, toMs }, Math.max(2, Math.floor(pointsMax / POINTS_PER_BUCKET)));
}

/** Reads the balance of a part of an account over time. Visits all of its transactions. */
export async function balanceHistory(
  sql: Sql,
  { account, pointsMax }: { account: AccountKey; pointsMax: number },
): Promise<BalancePoint[]> {
  const span = spanValues(account);
  if (lengthOf(account) <= pointsMax) {
    return sql.all(EVERY_POINT, span);
  }
  const bucketMs = historyBucketMs(await sql.all(BOTH_ENDS, span), pointsMax);
  return sql.all(BUCKET_POINTS, [...span, bucketMs]);
}
