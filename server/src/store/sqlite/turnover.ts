import type { DatabaseSync } from 'node:sqlite';
import {
  type AccountSums,
  type LedgerPosition,
  type MoneySums,
  type SourceSums,
  type SpanSums,
  TOP_PLAYERS_LOOKED_AT_MAX,
  type TopPlayers,
} from '../../domain/ledger/ledger-views.ts';
import type { TimeRange } from '../../domain/model.ts';
import { spanValues } from '../balance-history-sql.ts';
import { SQLITE } from '../dialect.ts';
import {
  entriesByTime,
  placeAt,
  placeSql,
  rowOfEntry,
  stoppedAt,
  stretchValues,
} from '../ledger/guild-listing-sql.ts';
import { type AccountKey, lengthOf } from '../listing-sql.ts';
import { type TurnoverRow, toTopPlayers } from '../turnover-rows.ts';
import { toUnits } from '../wide-sum.ts';
import { inSnapshot, prepare } from './connection.ts';

/** Sums of transactions: in halves of 26 bits, because together they could outgrow 64. */
const SUMMED = `sum(t.total > 0) AS depositCount, sum(max(t.total, 0) >> 26) AS depositMiddle,
  sum(max(t.total, 0) & 67108863) AS depositLow, sum(t.total < 0) AS withdrawalCount,
  sum(max(-t.total, 0) >> 26) AS withdrawalMiddle, sum(max(-t.total, 0) & 67108863) AS withdrawalLow`;

interface SummedRow {
  depositCount: number | null;
  depositMiddle: number | null;
  depositLow: number | null;
  withdrawalCount: number | null;
  withdrawalMiddle: number | null;
  withdrawalLow: number | null;
}

const ROWS = `FROM ${entriesByTime(SQLITE)} ${rowOfEntry(SQLITE)}
  WHERE e.guild_no = ? AND (e.created_at, e.account_no, e.seq) < (?, ?, ?)
    AND (e.created_at, e.account_no, e.seq) > (?, ?, ?)`;

/** Adds up transactions that no daily sums stand for. Visits each of them. */
export function createTurnoverReads(db: DatabaseSync) {
  const sumSpan = prepare<SummedRow & { accountsOpened: number | null }>(
    db,
    `SELECT ${SUMMED}, sum(t.seq = 1) AS accountsOpened ${ROWS}`,
  );
  const findStop = prepare<LedgerPosition>(db, placeSql(SQLITE, 'desc'));
  const sumPlayers = prepare<TurnoverRow & { middle: number; low: number }>(db, playersSql());
  const sumAccount = prepare<SummedRow>(db, accountSql(''));
  const sumSources = prepare<SummedRow & { source: string }>(
    db,
    `SELECT *, depositMiddle + withdrawalMiddle + ((depositLow + withdrawalLow) >> 26) AS turnover
     FROM (${accountSql('t.source, ')} GROUP BY t.source)
     ORDER BY turnover DESC, (depositLow + withdrawalLow) & 67108863 DESC, source LIMIT ?`,
  );
  const findBalance = prepare<{ balanceUnits: number }>(
    db,
    `SELECT balance_after AS balanceUnits FROM ledger_transaction WHERE guild_no = ? AND account_no = ? AND seq = ?`,
  );

  return {
    sumsBetween({ guildNo, times }: { guildNo: number; times: TimeRange }): SpanSums {
      const stretch = { earlier: placeAt(times.sinceMs), later: placeAt(times.untilMs) };
      const row = sumSpan.get(guildNo, ...stretchValues(stretch));
      return { ...toSums(row), accountsOpened: row?.accountsOpened ?? 0 };
    },

    topPlayers({ guildNo, times, limit }: { guildNo: number; times: TimeRange; limit: number }): TopPlayers {
      const whole = { earlier: placeAt(times.sinceMs), later: placeAt(times.untilMs) };
      return inSnapshot(db, () => {
        const stop = findStop.get(guildNo, ...stretchValues(whole), TOP_PLAYERS_LOOKED_AT_MAX);
        const stretch = stop === undefined ? whole : stoppedAt(whole, stop, 'desc');
        const rows = sumPlayers.all(guildNo, ...stretchValues(stretch), limit, limit, guildNo);
        return toTopPlayers(
          rows.map(({ middle, low, ...row }) => ({ ...row, units: unitsOf(middle, low) })),
          stop?.createdAtMs,
        );
      });
    },

    accountSums({ account, sourcesMax }: { account: AccountKey; sourcesMax: number }): AccountSums {
      const { guildNo, accountNo, skipped = 0, count } = account;
      const balanceAt = (seq: number) => findBalance.get(guildNo, accountNo, seq)?.balanceUnits ?? 0;
      const span = spanValues(account);
      return inSnapshot(db, () => ({
        openingUnits: balanceAt(skipped),
        closingUnits: balanceAt(Math.max(count, skipped)),
        all: toSums(lengthOf(account) > 0 ? sumAccount.get(...span) : undefined),
        sources: sumSources
          .all(...span, sourcesMax)
          .map((row): SourceSums => ({ source: row.source, ...toSums(row) })),
      }));
    },
  };
}

function accountSql(columns: string): string {
  return `SELECT ${columns}${SUMMED} FROM ledger_transaction AS t
    WHERE t.guild_no = ? AND t.account_no = ? AND t.seq BETWEEN ? AND ?`;
}

/** Values: guild, stretch, limit twice, guild. */
function playersSql(): string {
  const top = (kind: 'in' | 'out', name: 'deposit' | 'withdrawal') =>
    `SELECT '${kind}' AS kind, accountNo, ${name}Count AS count, ${name}Middle + (${name}Low >> 26) AS middle,
       ${name}Low & 67108863 AS low FROM summed WHERE ${name}Count > 0
     ORDER BY middle DESC, low DESC, accountNo LIMIT ?`;
  return `WITH summed AS MATERIALIZED (SELECT e.account_no AS accountNo, ${SUMMED} ${ROWS} GROUP BY e.account_no),
    earners AS MATERIALIZED (${top('in', 'deposit')}), spenders AS MATERIALIZED (${top('out', 'withdrawal')}),
    best AS MATERIALIZED (SELECT * FROM earners UNION ALL SELECT * FROM spenders)
    SELECT best.kind, best.count, best.middle, best.low, a.player_id AS playerId, (SELECT v.username FROM verification AS v
      WHERE v.player_id = a.player_id ORDER BY v.chat_id DESC LIMIT 1) AS username
    FROM best CROSS JOIN account AS a WHERE a.guild_no = ? AND a.account_no = best.accountNo
    ORDER BY best.kind, best.middle DESC, best.low DESC, best.accountNo`;
}

function toSums(row: SummedRow | undefined): MoneySums {
  return {
    depositCount: row?.depositCount ?? 0,
    depositUnits: unitsOf(row?.depositMiddle ?? 0, row?.depositLow ?? 0),
    withdrawalCount: row?.withdrawalCount ?? 0,
    withdrawalUnits: unitsOf(row?.withdrawalMiddle ?? 0, row?.withdrawalLow ?? 0),
  };
}

function unitsOf(middle: number, low: number): bigint {
  return (BigInt(middle) << 26n) + toUnits({ high: 0, low });
}
