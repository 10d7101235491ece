import {
  type AccountSums,
  type LedgerPosition,
  type PlayerTurnover,
  TOP_PLAYERS_LOOKED_AT_MAX,
  type TopPlayers,
} from '../../domain/ledger/ledger-views.ts';
import type { TimeRange } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import { holderSql } from '../people/holder-sql.ts';
import { type Sql, statement } from '../sql.ts';
import { spanValues } from './balance-history.ts';
import { placeAt, placeSql, stoppedAt, stretchValues } from './guild-listing-sql.ts';
import type { AccountKey } from './listed-account.ts';
import { type MoneyRow, toMoneySums } from './money-views.ts';
import {
  bothOrders,
  largestFirst,
  orderColumns,
  readSum,
  type SumText,
  summedColumns,
  TURNOVER,
} from './sums-sql.ts';

/** Rows `t` of a stretch. All of them are fetched, so that no join with the entries of the index by time is needed. */
const rowsSql = ({ engine, indexedBy }: Dialect) => {
  const stretch = `FROM ledger_transaction AS t ${indexedBy('ledger_by_time')}
   WHERE t.guild_no = $1 AND (t.created_at, t.account_no, t.seq) < ($2, $3, $4)
     AND (t.created_at, t.account_no, t.seq) > ($5, $6, $7)`;
  // With this ORDER BY the index by time is the only one that PostgreSQL can use without sorting.
  return engine === 'sqlite'
    ? stretch
    : `FROM (SELECT * ${stretch} ORDER BY t.created_at, t.account_no, t.seq OFFSET 0) AS t`;
};

export const FIND_ARCHIVE = statement<{ beforeMs: number }>(
  'SELECT before_at AS "beforeMs" FROM archive WHERE guild_no = $1 AND before_at > $2',
);
const FIND_STOP = statement<LedgerPosition>((dialect) => placeSql(dialect, 'desc'));

interface TurnoverRow {
  kind: 'in' | 'out';
  playerId: string;
  username: string | null;
  count: number;
  units: SumText;
}

const SUM_PLAYERS = statement<TurnoverRow>((dialect) => {
  const top = (kind: TurnoverRow['kind'], name: 'deposit' | 'withdrawal') =>
    `SELECT '${kind}' AS kind, account_no, "${name}Count" AS count, "${name}Units" AS units,
       row_number() OVER (ORDER BY ${largestFirst(dialect, name)}, account_no) AS place
     FROM (SELECT * FROM summed WHERE "${name}Count" > 0 ORDER BY ${largestFirst(dialect, name)}, account_no LIMIT $8) AS top_${kind}`;
  return `WITH summed AS MATERIALIZED (
      SELECT t.account_no AS account_no, ${summedColumns(dialect)}, ${bothOrders(dialect)} ${rowsSql(dialect)} GROUP BY t.account_no),
    best AS MATERIALIZED (${top('in', 'deposit')} UNION ALL ${top('out', 'withdrawal')})
    SELECT best.kind, best.count, best.units, a.player_id AS "playerId",
      (${holderSql('username', 'a.player_id')}) AS username
    FROM best CROSS JOIN account AS a WHERE a.guild_no = $1 AND a.account_no = best.account_no
    ORDER BY best.kind, best.place`;
});

const accountSql = (columns: string) => `SELECT ${columns} FROM ledger_transaction AS t
  WHERE t.guild_no = $1 AND t.account_no = $2 AND t.seq BETWEEN $3 AND $4`;
const SUM_ACCOUNT = statement<MoneyRow>((dialect) => accountSql(summedColumns(dialect)));
const SUM_SOURCES = statement<MoneyRow & { source: string }>(
  (dialect) =>
    `${accountSql(`t.source, ${summedColumns(dialect)}, ${orderColumns(dialect, TURNOVER, 'turnover')}`)}
     GROUP BY t.source ORDER BY ${largestFirst(dialect, 'turnover')}, t.source LIMIT $5`,
);
// When the transaction is archived, the balance is the one before the next, or the present one when there is no next.
const FIND_BALANCE = statement<{ balanceUnits: number }>(
  `SELECT coalesce(
     (SELECT t.balance_after FROM ledger_transaction AS t WHERE t.guild_no = $1 AND t.account_no = $2 AND t.seq = $3),
     (SELECT t.balance_after - t.total FROM ledger_transaction AS t
      WHERE t.guild_no = $1 AND t.account_no = $2 AND t.seq = $3 + 1),
     a.balance) AS "balanceUnits"
   FROM account AS a WHERE a.guild_no = $1 AND a.account_no = $2`,
);

/** Long reads that add up transactions where the daily sums are not enough. They visit each transaction. */
export const TURNOVER_READS = {
  async topPlayers(
    sql: Sql,
    { guildNo, times, limit }: { guildNo: number; times: TimeRange; limit: number },
  ): Promise<TopPlayers> {
    await sql.preferIndexes();
    const whole = { earlier: placeAt(times.sinceMs), later: placeAt(times.untilMs) };
    const stop = await sql.first(FIND_STOP, [guildNo, ...stretchValues(whole), TOP_PLAYERS_LOOKED_AT_MAX]);
    const stretch = stop === undefined ? whole : stoppedAt(whole, stop, 'desc');
    const rows = await sql.all(SUM_PLAYERS, [guildNo, ...stretchValues(stretch), limit]);
    const playersOf = (kind: TurnoverRow['kind']) => rows.filter((row) => row.kind === kind).map(toTurnover);
    const archivedMs = (await sql.first(FIND_ARCHIVE, [guildNo, times.sinceMs]))?.beforeMs;
    const searchedToMs = stop?.createdAtMs ?? archivedMs;
    return { earners: playersOf('in'), spenders: playersOf('out'), searchedToMs };
  },

  async accountSums(
    sql: Sql,
    { account, sourcesMax }: { account: AccountKey; sourcesMax: number },
  ): Promise<Omit<AccountSums, 'archivedUntilMs'>> {
    const { guildNo, accountNo, skipped = 0, count } = account;
    const balanceAt = async (seq: number) =>
      (await sql.first(FIND_BALANCE, [guildNo, accountNo, seq]))?.balanceUnits ?? 0;
    const span = spanValues(account);
    const sources = await sql.all(SUM_SOURCES, [...span, sourcesMax]);
    return {
      openingUnits: await balanceAt(skipped),
      closingUnits: await balanceAt(Math.max(count, skipped)),
      all: toMoneySums(await sql.first(SUM_ACCOUNT, span)),
      sources: sources.map((row) => ({ source: row.source, ...toMoneySums(row) })),
    };
  },
};

function toTurnover({ playerId, username, count, units }: TurnoverRow): PlayerTurnover {
  return { playerId, username: username ?? undefined, count, units: readSum(units) };
}
