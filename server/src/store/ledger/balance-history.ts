import type { BalanceSpan } from '../../domain/ledger/balance-span.ts';
import { bucketLengthMs } from '../../domain/ledger/time-buckets.ts';
import { type Sql, statement } from '../sql.ts';
import { type AccountKey, lengthOf } from './listed-account.ts';

interface PointRow {
  atMs: number;
  balanceUnits: number;
}

/** All points of a part of an account. Values: those of `spanValues`. */
const EVERY_POINT = statement<PointRow>(
  `SELECT created_at AS "atMs", balance_after AS "balanceUnits" FROM ledger_transaction
  WHERE guild_no = $1 AND account_no = $2 AND seq BETWEEN $3 AND $4 ORDER BY seq`,
);

/** The first and the last point of that part. */
const BOTH_ENDS = statement<PointRow>(
  `SELECT created_at AS "atMs", balance_after AS "balanceUnits" FROM ledger_transaction
  WHERE guild_no = $1 AND account_no = $2 AND seq IN ($3, $4) ORDER BY seq`,
);

/** Guild, account, first and last seq. An account only grows, so the rows of a part never change. */
export function spanValues({ guildNo, accountNo, count, skipped = 0 }: AccountKey): number[] {
  return [guildNo, accountNo, skipped + 1, count];
}

const ofAccount = (alias: string) => `${alias}.guild_no = $1 AND ${alias}.account_no = $2`;

/**
 * The span of each bucket of time. Values: those of `spanValues`, then the length of a bucket. Times never decrease
 * along seq, so each bucket is a range of seqs.
 */
const BUCKET_SPANS = statement<BalanceSpan>(
  `WITH summed AS (
    SELECT min(t.seq) AS first, max(t.seq) AS last, min(t.balance_after) AS lowest, max(t.balance_after) AS highest
    FROM ledger_transaction t WHERE ${ofAccount('t')} AND t.seq BETWEEN $3 AND $4 GROUP BY t.created_at / CAST($5 AS bigint))
  SELECT f.created_at AS "fromMs", f.balance_after AS "firstUnits", l.created_at AS "toMs", l.balance_after AS "lastUnits",
    summed.lowest AS "lowestUnits", summed.highest AS "highestUnits"
  FROM summed CROSS JOIN ledger_transaction f CROSS JOIN ledger_transaction l
  WHERE ${ofAccount('f')} AND f.seq = summed.first AND ${ofAccount('l')} AND l.seq = summed.last ORDER BY summed.first`,
);

/** The length of the buckets between two points, so that there are at most `spansMax` of them. */
function historyBucketMs(ends: readonly PointRow[], spansMax: number): number {
  const [fromMs, toMs] = [ends[0]?.atMs ?? 0, ends.at(-1)?.atMs ?? 0];
  return bucketLengthMs({ fromMs, toMs }, Math.max(2, spansMax));
}

/** Reads the balance of a part of an account over time. Visits all of its transactions. */
export async function balanceHistory(
  sql: Sql,
  { account, spansMax }: { account: AccountKey; spansMax: number },
): Promise<BalanceSpan[]> {
  const values = spanValues(account);
  if (lengthOf(account) <= spansMax) {
    return (await sql.all(EVERY_POINT, values)).map(toSpan);
  }
  const bucketMs = historyBucketMs(await sql.all(BOTH_ENDS, values), spansMax);
  return sql.all(BUCKET_SPANS, [...values, bucketMs]);
}

function toSpan({ atMs, balanceUnits }: PointRow): BalanceSpan {
  return {
    fromMs: atMs,
    firstUnits: balanceUnits,
    toMs: atMs,
    lastUnits: balanceUnits,
    lowestUnits: balanceUnits,
    highestUnits: balanceUnits,
  };
}
