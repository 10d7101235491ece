import type { DatabaseSync } from 'node:sqlite';
import type { BalancePoint } from '../../domain/ledger/ledger-views.ts';
import {
  BOTH_ENDS,
  BUCKET_POINTS,
  EVERY_POINT,
  historyBucketMs,
  spanValues,
} from '../balance-history-sql.ts';
import { type AccountKey, lengthOf } from '../listing-sql.ts';
import { prepare } from './connection.ts';

export interface HistoryInput extends AccountKey {
  pointsMax: number;
}

/** Reads the balance of an account over time. Visits all its transactions. */
export function createBalanceHistory(db: DatabaseSync): (input: HistoryInput) => BalancePoint[] {
  const every = prepare<BalancePoint>(db, inDialect(EVERY_POINT));
  const ends = prepare<BalancePoint>(db, inDialect(BOTH_ENDS));
  const points = prepare<BalancePoint>(db, inDialect(BUCKET_POINTS));
  return ({ pointsMax, ...account }) => {
    const span = spanValues(account);
    return lengthOf(account) <= pointsMax
      ? every.all(...span)
      : points.all(...span, historyBucketMs(ends.all(...span), pointsMax));
  };
}

function inDialect(sql: string): string {
  return sql.replaceAll('$', '?');
}
