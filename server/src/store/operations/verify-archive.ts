import { type MoneyRow, toMoneySums } from '../ledger/money-views.ts';
import { summedColumns, summedDays } from '../ledger/sums-sql.ts';
import { statement } from '../sql.ts';

interface ArchiveRow {
  guildNo: number;
  guildId: string;
  throughNumber: number;
  depositCount: number;
  depositUnits: string;
  withdrawalCount: number;
  withdrawalUnits: string;
}

/** The archives of all guilds. */
export const ARCHIVES = statement<ArchiveRow>(
  `SELECT r.guild_no AS "guildNo", g.guild_id AS "guildId", r.through_number AS "throughNumber",
     r.deposit_count AS "depositCount", r.deposit_units AS "depositUnits", r.withdrawal_count AS "withdrawalCount",
     r.withdrawal_units AS "withdrawalUnits"
   FROM archive AS r JOIN guild AS g ON g.guild_no = r.guild_no ORDER BY r.guild_no`,
);
/** The sums of all days of a guild. */
export const SUM_DAYS = statement<MoneyRow>(
  (dialect) => `SELECT ${summedDays(dialect)} FROM guild_day WHERE guild_no = $1`,
);
/** The sums of a guild's transactions after a number. */
export const SUM_ROWS = statement<MoneyRow>(
  (dialect) =>
    `SELECT ${summedColumns(dialect)} FROM ledger_transaction AS t WHERE t.guild_no = $1 AND t.number > $2`,
);

/**
 * Compares the sums of all days of a guild with those of its archive and its transactions together. Single days cannot be
 * checked where the archive has transactions of them.
 */
export function archiveFindings(
  { guildId, ...archive }: ArchiveRow,
  dayRow: MoneyRow | undefined,
  transactionRow: MoneyRow | undefined,
): string[] {
  const days = toMoneySums(dayRow);
  const rows = toMoneySums(transactionRow);
  const isRight =
    days.depositCount === rows.depositCount + archive.depositCount &&
    days.withdrawalCount === rows.withdrawalCount + archive.withdrawalCount &&
    days.depositUnits === rows.depositUnits + BigInt(archive.depositUnits) &&
    days.withdrawalUnits === rows.withdrawalUnits + BigInt(archive.withdrawalUnits);
  return isRight
    ? []
    : [`guild ${guildId}: the sums of its days are not those of its transactions and its archive`];
}
