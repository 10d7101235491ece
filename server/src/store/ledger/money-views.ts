import type { DayRange } from '../../domain/calendar.ts';
import type { DaySums, GuildTotals, MoneySums, SourceSums } from '../../domain/ledger/ledger-views.ts';
import { type Sql, statement } from '../sql.ts';
import { dayColumns, largestDaysFirst, readSum, type SumText, summedDays } from './sums-sql.ts';

/** Counts and sums of money in a row. */
export interface MoneyRow {
  depositCount: number;
  depositUnits: SumText;
  withdrawalCount: number;
  withdrawalUnits: SumText;
}

export function toMoneySums(row: MoneyRow | undefined): MoneySums {
  return {
    depositCount: row?.depositCount ?? 0,
    depositUnits: readSum(row?.depositUnits),
    withdrawalCount: row?.withdrawalCount ?? 0,
    withdrawalUnits: readSum(row?.withdrawalUnits),
  };
}

const SUM_ALL = statement<MoneyRow & { accounts: number }>(
  (dialect) =>
    `SELECT CAST(sum(accounts_opened) AS bigint) AS accounts, ${summedDays(dialect)} FROM guild_day WHERE guild_no = $1
     HAVING count(*) > 0`,
);
const SUM_BEFORE = statement<MoneyRow & { accounts: number }>(
  (dialect) =>
    `SELECT CAST(sum(accounts_opened) AS bigint) AS accounts, ${summedDays(dialect)} FROM guild_day
     WHERE guild_no = $1 AND day < $2 HAVING count(*) > 0`,
);
const FIND_DAYS = statement<MoneyRow & { day: number; accountsOpened: number }>(
  (dialect) =>
    `SELECT day, accounts_opened AS "accountsOpened", ${dayColumns(dialect)}
     FROM guild_day WHERE guild_no = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
);
const FIND_SOURCES = statement<MoneyRow & { source: string }>(
  (dialect) =>
    `SELECT source, ${summedDays(dialect)} FROM guild_day_source
     WHERE guild_no = $1 AND day BETWEEN $2 AND $3 AND source <> '' GROUP BY source
     ORDER BY ${largestDaysFirst(dialect)}, source LIMIT $4`,
);

function toTotals(row: (MoneyRow & { accounts: number }) | undefined): GuildTotals {
  const { depositCount, depositUnits, withdrawalCount, withdrawalUnits } = toMoneySums(row);
  return {
    accounts: row?.accounts ?? 0,
    transactions: depositCount + withdrawalCount,
    balanceUnits: depositUnits - withdrawalUnits,
  };
}

/** Reads the daily sums. */
export function createMoneyViews(read: Sql) {
  return {
    totals: async (guildNo: number): Promise<GuildTotals> => toTotals(await read.first(SUM_ALL, [guildNo])),
    /** The totals at the start of a day in UTC. */
    totalsBefore: async (guildNo: number, day: number): Promise<GuildTotals> =>
      toTotals(await read.first(SUM_BEFORE, [guildNo, day])),
    days: async (guildNo: number, { since, until }: DayRange): Promise<DaySums[]> =>
      (await read.all(FIND_DAYS, [guildNo, since, until])).map((row) => ({
        day: row.day,
        accountsOpened: row.accountsOpened,
        ...toMoneySums(row),
      })),
    topSources: async (guildNo: number, { since, until }: DayRange, limit: number): Promise<SourceSums[]> =>
      (await read.all(FIND_SOURCES, [guildNo, since, until, limit])).map((row) => ({
        source: row.source,
        ...toMoneySums(row),
      })),
  };
}
