import type { DayRange } from '../../domain/calendar.ts';
import type { DaySums, GuildTotals, MoneySums, SourceSums } from '../../domain/ledger/ledger-views.ts';
import { prepare, type Runner } from './statement.ts';

/** Sums come as text: they may outgrow the exact numbers. */
interface MoneyRow {
  depositCount: number;
  depositUnits: string;
  withdrawalCount: number;
  withdrawalUnits: string;
}

const SUMMED = `sum(deposit_count)::bigint AS "depositCount", sum(deposit_units) AS "depositUnits",
  sum(withdrawal_count)::bigint AS "withdrawalCount", sum(withdrawal_units) AS "withdrawalUnits"`;
const SUM_ALL = prepare<MoneyRow & { accounts: number }>(
  `SELECT sum(accounts_opened)::bigint AS accounts, ${SUMMED} FROM guild_day WHERE guild_no = $1
   HAVING count(*) > 0`,
);
const SUM_BEFORE = prepare<MoneyRow>(
  `SELECT ${SUMMED} FROM guild_day WHERE guild_no = $1 AND day < $2 HAVING count(*) > 0`,
);
const FIND_DAYS = prepare<MoneyRow & { day: number; accountsOpened: number }>(
  `SELECT day, accounts_opened AS "accountsOpened", deposit_count AS "depositCount", deposit_units AS "depositUnits",
     withdrawal_count AS "withdrawalCount", withdrawal_units AS "withdrawalUnits"
   FROM guild_day WHERE guild_no = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
);
const FIND_SOURCES = prepare<MoneyRow & { source: string }>(
  `SELECT source, ${SUMMED} FROM guild_day_source
   WHERE guild_no = $1 AND day BETWEEN $2 AND $3 AND source <> '' GROUP BY source
   ORDER BY sum(deposit_units + withdrawal_units) DESC, source LIMIT $4`,
);

/** Reads the daily sums. */
export function createMoneyViews(read: Runner) {
  return {
    async totals(guildNo: number): Promise<GuildTotals> {
      const row = await read.first(SUM_ALL, [guildNo]);
      if (row === undefined) {
        return { accounts: 0, transactions: 0, balanceUnits: 0n };
      }
      const { depositCount, depositUnits, withdrawalCount, withdrawalUnits } = toSums(row);
      return {
        accounts: row.accounts,
        transactions: depositCount + withdrawalCount,
        balanceUnits: depositUnits - withdrawalUnits,
      };
    },
    async balanceBefore(guildNo: number, day: number): Promise<bigint> {
      const row = await read.first(SUM_BEFORE, [guildNo, day]);
      return row === undefined ? 0n : BigInt(row.depositUnits) - BigInt(row.withdrawalUnits);
    },
    days: async (guildNo: number, { since, until }: DayRange): Promise<DaySums[]> =>
      (await read.all(FIND_DAYS, [guildNo, since, until])).map((row) => ({
        day: row.day,
        accountsOpened: row.accountsOpened,
        ...toSums(row),
      })),
    topSources: async (guildNo: number, { since, until }: DayRange, limit: number): Promise<SourceSums[]> =>
      (await read.all(FIND_SOURCES, [guildNo, since, until, limit])).map((row) => ({
        source: row.source,
        ...toSums(row),
      })),
  };
}

function toSums({ depositCount, depositUnits, withdrawalCount, withdrawalUnits }: MoneyRow): MoneySums {
  return {
    depositCount,
    depositUnits: BigInt(depositUnits),
    withdrawalCount,
    withdrawalUnits: BigInt(withdrawalUnits),
  };
}
