import {
  type AccountSums,
  type LedgerPosition,
  type MoneySums,
  type SpanSums,
  TOP_PLAYERS_LOOKED_AT_MAX,
  type TopPlayers,
} from '../../domain/ledger/ledger-views.ts';
import type { TimeRange } from '../../domain/model.ts';
import { spanValues } from '../balance-history-sql.ts';
import { POSTGRES } from '../dialect.ts';
import {
  entriesByTime,
  placeAt,
  placeSql,
  rowOfEntry,
  stoppedAt,
  stretchValues,
} from '../ledger/guild-listing-sql.ts';
import type { AccountKey } from '../listing-sql.ts';
import { type TurnoverRow, toTopPlayers } from '../turnover-rows.ts';
import { prepare, type Snapshot } from './statement.ts';

/** Sums come as text: they may outgrow the exact numbers. */
interface SummedRow {
  depositCount: number;
  depositUnits: string | null;
  withdrawalCount: number;
  withdrawalUnits: string | null;
}

const SUMMED = `count(*) FILTER (WHERE t.total > 0) AS "depositCount",
  sum(t.total::numeric) FILTER (WHERE t.total > 0) AS "depositUnits",
  count(*) FILTER (WHERE t.total < 0) AS "withdrawalCount",
  -sum(t.total::numeric) FILTER (WHERE t.total < 0) AS "withdrawalUnits"`;
const ROWS = `FROM ${entriesByTime(POSTGRES)} ${rowOfEntry(POSTGRES)}
  WHERE e.guild_no = $1 AND (e.created_at, e.account_no, e.seq) < ($2, $3, $4)
    AND (e.created_at, e.account_no, e.seq) > ($5, $6, $7)`;
const SUM_SPAN = prepare<SummedRow & { accountsOpened: number }>(
  `SELECT ${SUMMED}, count(*) FILTER (WHERE t.seq = 1) AS "accountsOpened" ${ROWS}`,
);
const FIND_STOP = prepare<LedgerPosition>(placeSql(POSTGRES, 'desc'));

const top = (kind: 'in' | 'out', name: 'deposit' | 'withdrawal') =>
  `(SELECT '${kind}' AS kind, account_no, "${name}Count" AS count, "${name}Units" AS units FROM summed
    WHERE "${name}Count" > 0 ORDER BY units DESC, account_no LIMIT $8)`;
const SUM_PLAYERS = prepare<TurnoverRow & { units: string }>(
  `WITH summed AS MATERIALIZED (SELECT e.account_no, ${SUMMED} ${ROWS} GROUP BY e.account_no),
   best AS MATERIALIZED (${top('in', 'deposit')} UNION ALL ${top('out', 'withdrawal')})
   SELECT best.kind, best.count, best.units, a.player_id AS "playerId", (SELECT v.username FROM verification AS v
     WHERE v.player_id = a.player_id ORDER BY v.verified_at DESC, v.chat_id DESC LIMIT 1) AS username
   FROM best CROSS JOIN account AS a WHERE a.guild_no = $1 AND a.account_no = best.account_no
   ORDER BY best.kind, best.units DESC, best.account_no`,
);

const accountSql = (columns: string) => `SELECT ${columns}${SUMMED} FROM ledger_transaction AS t
  WHERE t.guild_no = $1 AND t.account_no = $2 AND t.seq BETWEEN $3 AND $4`;
const SUM_ACCOUNT = prepare<SummedRow>(accountSql(''));
const SUM_SOURCES = prepare<SummedRow & { source: string }>(
  `${accountSql('t.source, ')} GROUP BY t.source ORDER BY sum(abs(t.total)::numeric) DESC, t.source LIMIT $5`,
);
const FIND_BALANCE = prepare<{ balanceUnits: number }>(
  `SELECT balance_after AS "balanceUnits" FROM ledger_transaction WHERE guild_no = $1 AND account_no = $2 AND seq = $3`,
);

/** Adds up transactions that no daily sums stand for. Visits each of them. */
export function createTurnoverReads(inSnapshot: Snapshot) {
  return {
    sumsBetween: (guildNo: number, { sinceMs, untilMs }: TimeRange): Promise<SpanSums> =>
      inSnapshot(async (moment) => {
        await moment.preferIndexes();
        const stretch = { earlier: placeAt(sinceMs), later: placeAt(untilMs) };
        const row = await moment.first(SUM_SPAN, [guildNo, ...stretchValues(stretch)]);
        return { ...toSums(row), accountsOpened: row?.accountsOpened ?? 0 };
      }),

    topPlayers: (guildNo: number, { sinceMs, untilMs }: TimeRange, limit: number): Promise<TopPlayers> =>
      inSnapshot(async (moment) => {
        await moment.preferIndexes();
        const whole = { earlier: placeAt(sinceMs), later: placeAt(untilMs) };
        const stop = await moment.first(FIND_STOP, [
          guildNo,
          ...stretchValues(whole),
          TOP_PLAYERS_LOOKED_AT_MAX,
        ]);
        const stretch = stop === undefined ? whole : stoppedAt(whole, stop, 'desc');
        const rows = await moment.all(SUM_PLAYERS, [guildNo, ...stretchValues(stretch), limit]);
        return toTopPlayers(
          rows.map((row) => ({ ...row, units: BigInt(row.units) })),
          stop?.createdAtMs,
        );
      }),

    accountSums: (account: AccountKey, sourcesMax: number): Promise<AccountSums> =>
      inSnapshot(async (moment) => {
        const { guildNo, accountNo, skipped = 0, count } = account;
        const balanceAt = async (seq: number) =>
          (await moment.first(FIND_BALANCE, [guildNo, accountNo, seq]))?.balanceUnits ?? 0;
        const span = spanValues(account);
        const sources = await moment.all(SUM_SOURCES, [...span, sourcesMax]);
        return {
          openingUnits: await balanceAt(skipped),
          closingUnits: await balanceAt(Math.max(count, skipped)),
          all: toSums(await moment.first(SUM_ACCOUNT, span)),
          sources: sources.map((row) => ({ source: row.source, ...toSums(row) })),
        };
      }),
  };
}

function toSums(row: SummedRow | undefined): MoneySums {
  return {
    depositCount: row?.depositCount ?? 0,
    depositUnits: BigInt(row?.depositUnits ?? 0),
    withdrawalCount: row?.withdrawalCount ?? 0,
    withdrawalUnits: BigInt(row?.withdrawalUnits ?? 0),
  };
}
