import type { DatabaseSync } from 'node:sqlite';
import type { DayRange } from '../../domain/calendar.ts';
import type { DaySums, GuildTotals, SourceSums } from '../../domain/ledger/ledger-views.ts';
import { toUnits } from '../wide-sum.ts';
import { prepare } from './connection.ts';

interface DayRow {
  day: number;
  accountsOpened: number;
  depositCount: number;
  depositHigh: number;
  depositLow: number;
  withdrawalCount: number;
  withdrawalHigh: number;
  withdrawalLow: number;
}

/** Sums over many rows: the low parts are summed in halves, because together they could outgrow 64 bits. */
interface SummedRow extends Omit<DayRow, 'day' | 'accountsOpened'> {
  depositMiddle: number;
  withdrawalMiddle: number;
}

const HALF_BITS = 26n;

const SUMMED = `sum(deposit_count) AS depositCount, sum(deposit_high) AS depositHigh,
  sum(deposit_low >> 26) AS depositMiddle, sum(deposit_low & 67108863) AS depositLow,
  sum(withdrawal_count) AS withdrawalCount, sum(withdrawal_high) AS withdrawalHigh,
  sum(withdrawal_low >> 26) AS withdrawalMiddle, sum(withdrawal_low & 67108863) AS withdrawalLow`;

/** Reads the daily sums. */
export function createMoneyViews(db: DatabaseSync) {
  const sumAll = prepare<SummedRow & { accounts: number | null }>(
    db,
    `SELECT sum(accounts_opened) AS accounts, ${SUMMED} FROM guild_day WHERE guild_no = ?`,
  );
  const sumBefore = prepare<SummedRow & { depositCount: number | null }>(
    db,
    `SELECT ${SUMMED} FROM guild_day WHERE guild_no = ? AND day < ?`,
  );
  const findDays = prepare<DayRow>(
    db,
    `SELECT day, accounts_opened AS accountsOpened, deposit_count AS depositCount, deposit_high AS depositHigh,
       deposit_low AS depositLow, withdrawal_count AS withdrawalCount, withdrawal_high AS withdrawalHigh,
       withdrawal_low AS withdrawalLow
     FROM guild_day WHERE guild_no = ? AND day BETWEEN ? AND ? ORDER BY day`,
  );
  // Deposits and withdrawals are added up as they are stored, piece by piece with the carry, to compare exactly.
  const findSources = prepare<SummedRow & { source: string }>(
    db,
    `SELECT *, depositMiddle + withdrawalMiddle + ((depositLow + withdrawalLow) >> 26) AS turnoverMiddle
     FROM (SELECT source, ${SUMMED} FROM guild_day_source
       WHERE guild_no = ? AND day BETWEEN ? AND ? AND source <> '' GROUP BY source) AS summed
     ORDER BY depositHigh + withdrawalHigh + (turnoverMiddle >> 26) DESC, turnoverMiddle & 67108863 DESC,
       (depositLow + withdrawalLow) & 67108863 DESC, source
     LIMIT ?`,
  );
  return {
    totals(guildNo: number): GuildTotals {
      const row = sumAll.get(guildNo);
      if (row === undefined || row.accounts === null) {
        return { accounts: 0, transactions: 0, balanceUnits: 0n };
      }
      const { depositCount, depositUnits, withdrawalCount, withdrawalUnits } = toSums(row);
      return {
        accounts: row.accounts,
        transactions: depositCount + withdrawalCount,
        balanceUnits: depositUnits - withdrawalUnits,
      };
    },
    balanceBefore(guildNo: number, day: number): bigint {
      const row = sumBefore.get(guildNo, day);
      if (row === undefined || row.depositCount === null) {
        return 0n;
      }
      const { depositUnits, withdrawalUnits } = toSums(row);
      return depositUnits - withdrawalUnits;
    },
    days: (guildNo: number, { since, until }: DayRange): DaySums[] =>
      findDays.all(guildNo, since, until).map((row) => ({
        day: row.day,
        accountsOpened: row.accountsOpened,
        depositCount: row.depositCount,
        depositUnits: toUnits({ high: row.depositHigh, low: row.depositLow }),
        withdrawalCount: row.withdrawalCount,
        withdrawalUnits: toUnits({ high: row.withdrawalHigh, low: row.withdrawalLow }),
      })),
    topSources: (guildNo: number, { since, until }: DayRange, limit: number): SourceSums[] =>
      findSources.all(guildNo, since, until, limit).map((row) => ({ source: row.source, ...toSums(row) })),
  };
}

function toSums(row: SummedRow) {
  return {
    depositCount: row.depositCount,
    depositUnits:
      (BigInt(row.depositMiddle) << HALF_BITS) + toUnits({ high: row.depositHigh, low: row.depositLow }),
    withdrawalCount: row.withdrawalCount,
    withdrawalUnits:
      (BigInt(row.withdrawalMiddle) << HALF_BITS) +
      toUnits({ high: row.withdrawalHigh, low: row.withdrawalLow }),
  };
}
