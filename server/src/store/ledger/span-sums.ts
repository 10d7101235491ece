import { dayOf, startOfDayMs } from '../../domain/calendar.ts';
import {
  type GuildTotals,
  SOURCES_MERGED_MAX,
  type SourceSums,
  type SpanSums,
} from '../../domain/ledger/ledger-views.ts';
import { addUp } from '../../domain/ledger/overview.ts';
import type { TimeRange } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import { type Sql, statement } from '../sql.ts';
import { createMoneyViews, type MoneyRow, toMoneySums } from './money-views.ts';
import { summedColumns } from './sums-sql.ts';

// Stored sums are those of days in UTC. A time within a day divides it: the sums of its parts are computed from the transactions.

/** A part of a day. `atMs` is the time that divides the day. */
interface Part extends TimeRange {
  atMs: number;
}

/** The transactions `t` of the parts `p`. */
const partsSql = ({ engine, rowsOf, indexedBy }: Dialect) => {
  const parts = rowsOf('$2', 'p', { at_ms: 'bigint', since_ms: 'bigint', until_ms: 'bigint' });
  const isInside = 'guild_no = $1 AND created_at >= p.since_ms AND created_at < p.until_ms';
  return engine === 'sqlite'
    ? `FROM ${parts} CROSS JOIN ledger_transaction AS t ${indexedBy('ledger_by_time')} WHERE t.${isInside}`
    : // With this ORDER BY the index by time is the only one that PostgreSQL can use without sorting.
      `FROM ${parts} CROSS JOIN LATERAL (SELECT * FROM ledger_transaction WHERE ${isInside}
         ORDER BY created_at, account_no, seq OFFSET 0) AS t`;
};

const SUM_PARTS = statement<MoneyRow & { atMs: number; accountsOpened: number }>(
  (dialect) =>
    `SELECT p.at_ms AS "atMs", ${summedColumns(dialect)}, count(*) FILTER (WHERE t.seq = 1) AS "accountsOpened"
     ${partsSql(dialect)} GROUP BY p.at_ms`,
);
const SUM_SOURCES = statement<MoneyRow & { source: string }>(
  (dialect) => `SELECT t.source AS source, ${summedColumns(dialect)} ${partsSql(dialect)} GROUP BY t.source`,
);
const FIND_ARCHIVE = statement<{ beforeMs: number }>(
  'SELECT before_at AS "beforeMs" FROM archive WHERE guild_no = $1',
);

const partRows = (parts: readonly Part[]) =>
  JSON.stringify(
    parts.map(({ atMs, sinceMs, untilMs }) => ({ at_ms: atMs, since_ms: sinceMs, until_ms: untilMs })),
  );

export function isDayStart(timeMs: number): boolean {
  return startOfDayMs(dayOf(timeMs)) === timeMs;
}

export const SPAN_READS = {
  async spanSums(
    sql: Sql,
    { guildNo, timesMs }: { guildNo: number; timesMs: readonly number[] },
  ): Promise<SpanSums[]> {
    await sql.preferIndexes();
    const [firstMs = 0, lastMs = firstMs] = [timesMs[0], timesMs.at(-1)];
    const range = { since: dayOf(firstMs), until: dayOf(lastMs) };
    const days = await createMoneyViews(sql).days(guildNo, range);
    const byDay = new Map(days.map((day) => [day.day, day]));
    const heads = await sumHeads(sql, guildNo, { timesMs, byDay });
    const ends = addUpTo(timesMs, days, heads);
    return ends.slice(1).map((end, index) => minus(end, ends[index] ?? NOTHING));
  },

  async totalsBefore(
    sql: Sql,
    { guildNo, timeMs }: { guildNo: number; timeMs: number },
  ): Promise<GuildTotals> {
    await sql.preferIndexes();
    const money = createMoneyViews(sql);
    const { accounts, transactions, balanceUnits } = await money.totalsBefore(guildNo, dayOf(timeMs));
    const [day] = await money.days(guildNo, { since: dayOf(timeMs), until: dayOf(timeMs) });
    const byDay = new Map(day === undefined ? [] : [[day.day, day]]);
    const head = (await sumHeads(sql, guildNo, { timesMs: [timeMs], byDay })).get(timeMs) ?? NOTHING;
    return {
      accounts: accounts + head.accountsOpened,
      transactions: transactions + head.depositCount + head.withdrawalCount,
      balanceUnits: balanceUnits + head.depositUnits - head.withdrawalUnits,
    };
  },

  async sourcesBetween(
    sql: Sql,
    { guildNo, times, limit }: { guildNo: number; times: TimeRange; limit: number },
  ): Promise<SourceSums[]> {
    await sql.preferIndexes();
    const { whole, parts } = divide(times);
    const money = createMoneyViews(sql);
    if (parts.length === 0) {
      return money.topSources(guildNo, whole, limit);
    }
    const known = await money.topSources(guildNo, whole, Math.max(limit, SOURCES_MERGED_MAX));
    const rows = await sql.all(SUM_SOURCES, [guildNo, partRows(parts)]);
    const sums = new Map<string, SourceSums>(known.map((one) => [one.source, one]));
    for (const row of rows) {
      const found = sums.get(row.source);
      // Beyond the limit the sums of whole days are unknown, so such a source belongs to the others.
      if (found !== undefined || known.length < SOURCES_MERGED_MAX) {
        sums.set(row.source, { source: row.source, ...addUp([found ?? NOTHING, toMoneySums(row)]) });
      }
    }
    return [...sums.values()].sort(byTurnover).slice(0, limit);
  },
};

/** The number of transactions on the days that the times divide; undefined when a part of such a day is archived. */
export async function countCutDays(
  sql: Sql,
  guildNo: number,
  timesMs: readonly number[],
): Promise<number | undefined> {
  const cut = new Set(timesMs.filter((timeMs) => !isDayStart(timeMs)).map(dayOf));
  if (cut.size === 0) {
    return 0;
  }
  const range = { since: Math.min(...cut), until: Math.max(...cut) };
  const days = (await createMoneyViews(sql).days(guildNo, range)).filter(({ day }) => cut.has(day));
  const archivedMs = (await sql.first(FIND_ARCHIVE, [guildNo]))?.beforeMs ?? Number.MIN_SAFE_INTEGER;
  return days.some(({ day }) => startOfDayMs(day) < archivedMs)
    ? undefined
    : days.reduce((sum, day) => sum + day.depositCount + day.withdrawalCount, 0);
}

const NOTHING: SpanSums = {
  depositCount: 0,
  depositUnits: 0n,
  withdrawalCount: 0,
  withdrawalUnits: 0n,
  accountsOpened: 0,
};

/** The sums of each day up to each time that divides it, by that time. Reads the shorter part of the day. */
async function sumHeads(
  sql: Sql,
  guildNo: number,
  { timesMs, byDay }: { timesMs: readonly number[]; byDay: ReadonlyMap<number, SpanSums> },
): Promise<Map<number, SpanSums>> {
  const cuts = timesMs.filter((timeMs) => !isDayStart(timeMs) && byDay.has(dayOf(timeMs)));
  const parts = [...new Set(cuts)].map((atMs): Part & { isHead: boolean } => {
    const [startMs, endMs] = [startOfDayMs(dayOf(atMs)), startOfDayMs(dayOf(atMs) + 1)];
    const isHead = atMs - startMs <= endMs - atMs;
    return {
      atMs,
      isHead,
      ...(isHead ? { sinceMs: startMs, untilMs: atMs } : { sinceMs: atMs, untilMs: endMs }),
    };
  });
  const rows = parts.length === 0 ? [] : await sql.all(SUM_PARTS, [guildNo, partRows(parts)]);
  const read = new Map(
    rows.map((row) => [row.atMs, { ...toMoneySums(row), accountsOpened: row.accountsOpened }]),
  );
  return new Map(
    parts.map(({ atMs, isHead }) => {
      const sums = read.get(atMs) ?? NOTHING;
      return [atMs, isHead ? sums : minus(byDay.get(dayOf(atMs)) ?? NOTHING, sums)];
    }),
  );
}

/** The sums from the first of the days up to each time. */
function addUpTo(
  timesMs: readonly number[],
  days: readonly (SpanSums & { day: number })[],
  heads: ReadonlyMap<number, SpanSums>,
): SpanSums[] {
  let before = NOTHING;
  let next = 0;
  return timesMs.map((timeMs) => {
    for (let day = days[next]; day !== undefined && day.day < dayOf(timeMs); day = days[next]) {
      before = plus(before, day);
      next += 1;
    }
    return plus(before, heads.get(timeMs) ?? NOTHING);
  });
}

/** The whole days between two times, and the parts of days at both ends. */
function divide({ sinceMs, untilMs }: TimeRange): { whole: { since: number; until: number }; parts: Part[] } {
  const since = isDayStart(sinceMs) ? dayOf(sinceMs) : dayOf(sinceMs) + 1;
  const until = dayOf(untilMs) - 1;
  if (since > until + 1) {
    return { whole: { since, until }, parts: [{ atMs: sinceMs, sinceMs, untilMs }] };
  }
  const parts = [
    { atMs: sinceMs, sinceMs, untilMs: startOfDayMs(since) },
    { atMs: untilMs, sinceMs: startOfDayMs(until + 1), untilMs },
  ];
  return { whole: { since, until }, parts: parts.filter((part) => part.sinceMs < part.untilMs) };
}

function plus(one: SpanSums, other: SpanSums): SpanSums {
  return { ...addUp([one, other]), accountsOpened: one.accountsOpened + other.accountsOpened };
}

function minus(one: SpanSums, other: SpanSums): SpanSums {
  return {
    depositCount: one.depositCount - other.depositCount,
    depositUnits: one.depositUnits - other.depositUnits,
    withdrawalCount: one.withdrawalCount - other.withdrawalCount,
    withdrawalUnits: one.withdrawalUnits - other.withdrawalUnits,
    accountsOpened: one.accountsOpened - other.accountsOpened,
  };
}

/** The largest first, equal ones by name, as the statement for whole days orders them. */
function byTurnover(one: SourceSums, other: SourceSums): number {
  const [mine, others] = [one, other].map(
    ({ depositUnits, withdrawalUnits }) => depositUnits + withdrawalUnits,
  );
  if (mine === undefined || others === undefined || mine === others) {
    return Buffer.compare(Buffer.from(one.source), Buffer.from(other.source));
  }
  return mine > others ? -1 : 1;
}
