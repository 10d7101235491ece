import type { DatabaseSync } from 'node:sqlite';
import type { BalancePoint } from '../../domain/ledger/ledger-views.ts';
import {
  BOTH_ENDS,
  BUCKET_POINTS,
  EVERY_POINT,
  type HistorySpan,
  historyBucketMs,
} from '../balance-history-sql.ts';
import { prepare } from './connection.ts';

export interface HistoryInput extends HistorySpan {
  pointsMax: number;
}

/** Reads the balance of an account over time. Visits all its transactions. */
export function createBalanceHistory(db: DatabaseSync): (input: HistoryInput) => BalancePoint[] {
  const every = prepare<BalancePoint>(db, inDialect(EVERY_POINT));
  const ends = prepare<BalancePoint>(db, inDialect(BOTH_ENDS));
  const points = prepare<BalancePoint>(db, inDialect(BUCKET_POINTS));
  return ({ guildNo, accountNo, count, pointsMax }) => {
    const account = [guildNo, accountNo, count] as const;
    return count <= pointsMax
      ? every.all(...account)
      : points.all(...account, historyBucketMs(ends.all(...account), pointsMax));
  };
}

function inDialect(sql: string): string {
  return sql.replaceAll('$', '?');
}
