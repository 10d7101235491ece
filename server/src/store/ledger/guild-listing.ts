import {
  type GuildListing,
  type GuildListingQuery,
  type LedgerPosition,
  LOOKED_AT_FOR_SOURCE_MAX,
  LOOKED_AT_MAX,
} from '../../domain/ledger/ledger-views.ts';
import type { SortOrder } from '../../domain/model.ts';
import type { Sql } from '../sql.ts';
import { statement, statementsByShape } from '../sql.ts';
import type { DetailedRow } from './detailed-row.ts';
import {
  assertSortable,
  countedKinds,
  countedParts,
  countStretchSql,
  DAY_COST,
  dayOfStretch,
  daysOf,
  lookedAtMax,
  placeSql,
  type Stretch,
  sortedSql,
  sortStart,
  stoppedAt,
  stretchOf,
  stretchSql,
  stretchValues,
  toListing,
  viewShape,
  viewValues,
} from './guild-listing-sql.ts';
import type { SearchedFilter } from './searched.ts';

/** The days that a page may visit, by DAY_COST, and one more, which shows that there are more. */
const DAYS_MAX = LOOKED_AT_FOR_SOURCE_MAX / DAY_COST + 1;

export const FIND_PLACE = {
  asc: statement<LedgerPosition>((dialect) => placeSql(dialect, 'asc')),
  desc: statement<LedgerPosition>((dialect) => placeSql(dialect, 'desc')),
};
const daysSql = (order: SortOrder) =>
  `SELECT d.day, d.deposit_count + d.withdrawal_count AS entries FROM guild_day AS d
   WHERE d.guild_no = $1 AND d.day BETWEEN $2 AND $3 AND EXISTS (SELECT 1 FROM guild_day_source AS s
     WHERE s.guild_no = $1 AND s.day = d.day AND s.source IN ($4, ''))
   ORDER BY d.day ${order} LIMIT ${DAYS_MAX}`;
const FIND_DAYS = {
  asc: statement<{ day: number; entries: number }>(daysSql('asc')),
  desc: statement<{ day: number; entries: number }>(daysSql('desc')),
};
export const COUNT_DAYS = statement<{ entries: number }>(
  `SELECT CAST(coalesce(sum(deposit_count + withdrawal_count), 0) AS bigint) AS entries FROM guild_day
   WHERE guild_no = $1 AND day BETWEEN $2 AND $3`,
);
export const FIND_HIDING = statement<{ day: number }>(
  `SELECT d.day FROM guild_day AS d WHERE d.guild_no = $1 AND d.day BETWEEN $2 AND $3
     AND EXISTS (SELECT 1 FROM guild_day_source AS s
       WHERE s.guild_no = $1 AND s.day = d.day AND s.source = '')
     AND NOT EXISTS (SELECT 1 FROM guild_day_source AS s
       WHERE s.guild_no = $1 AND s.day = d.day AND s.source = $4)
   LIMIT 1`,
);

/** A stretch of the list, and an upper bound of the number of its transactions. */
interface Leg extends Stretch {
  entries: number;
}

const pages = statementsByShape<DetailedRow>();
const counts = statementsByShape<{ total: number }>();

/** Lists a guild's transactions, visiting a bounded number of them. */
export async function listGuild(
  sql: Sql,
  { guildNo, query }: { guildNo: number; query: GuildListingQuery & SearchedFilter },
): Promise<GuildListing> {
  await sql.preferIndexes();
  return { ...(await searchByValue(sql, guildNo, query)), total: await count(sql, guildNo, query) };
}

async function searchByTime(
  sql: Sql,
  guildNo: number,
  query: GuildListingQuery & SearchedFilter,
): Promise<Omit<GuildListing, 'total'>> {
  const { sortOrder: order = 'desc' } = query;
  const page = pages(`${order} ${viewShape(query)}`, (dialect) => stretchSql(dialect, query, order));
  const rows: DetailedRow[] = [];
  let left = lookedAtMax(query);
  for (const leg of await findLegs(sql, guildNo, query)) {
    if (left <= 0) {
      return toListing(rows, query, order === 'desc' ? leg.later : leg.earlier);
    }
    const stop = await findStop(sql, guildNo, leg, { max: left, order });
    const values = stretchValues(stop === undefined ? leg : stoppedAt(leg, stop, order));
    // Reads one row more than the page holds, to see whether there is another page.
    const missing = query.limit + 1 - rows.length;
    rows.push(...(await sql.all(page, [guildNo, ...values, ...viewValues(query), missing])));
    if (rows.length > query.limit || stop !== undefined) {
      return toListing(rows, query, stop);
    }
    left -= Math.max(leg.entries, DAY_COST);
  }
  return toListing(rows, query, undefined);
}

async function searchByValue(
  sql: Sql,
  guildNo: number,
  query: GuildListingQuery & SearchedFilter,
): Promise<Omit<GuildListing, 'total'>> {
  const { sortBy = 'createdAt', sortOrder = 'desc', limit, after = sortStart(sortOrder) } = query;
  if (sortBy === 'createdAt') {
    return searchByTime(sql, guildNo, query);
  }
  const stretch = stretchOf({ ...query, after: undefined });
  const { first, last } = daysOf(stretch);
  assertSortable((await sql.first(COUNT_DAYS, [guildNo, first, last]))?.entries ?? 0);
  const page = pages(`${sortBy} ${sortOrder} ${viewShape(query)}`, (dialect) =>
    sortedSql(dialect, query, { sortBy, sortOrder }),
  );
  const place = [after.value, after.createdAtMs, after.accountNo, after.seq];
  const values = [guildNo, ...stretchValues(stretch), ...viewValues(query), ...place, limit + 1];
  return toListing(await sql.all(page, values), query, undefined);
}

/** The place of the last row when `max` rows are visited; undefined when the leg has no more than that. */
async function findStop(
  sql: Sql,
  guildNo: number,
  leg: Leg,
  { max, order }: { max: number; order: SortOrder },
): Promise<LedgerPosition | undefined> {
  return leg.entries <= max
    ? undefined
    : sql.first(FIND_PLACE[order], [guildNo, ...stretchValues(leg), max - 1]);
}

/** The whole list in one leg, or for one source the days that have it, in the order of the list. */
async function findLegs(sql: Sql, guildNo: number, query: GuildListingQuery): Promise<Leg[]> {
  const stretch = stretchOf(query);
  if (query.source === undefined) {
    return [{ ...stretch, entries: Number.POSITIVE_INFINITY }];
  }
  const { first, last } = daysOf(stretch);
  const days = await sql.all(FIND_DAYS[query.sortOrder ?? 'desc'], [guildNo, first, last, query.source]);
  return days.map(({ day, entries }) => ({ ...dayOfStretch(stretch, day), entries }));
}

/**
 * Counts whole days by the daily sums, and the parts of days at both ends row by row. Undefined when the sums are not
 * enough or a part is too long.
 */
async function count(sql: Sql, guildNo: number, query: GuildListingQuery): Promise<number | undefined> {
  const kinds = countedKinds(query);
  if (kinds === undefined) {
    return undefined;
  }
  const { days, pieces } = countedParts(query);
  const { source } = query;
  const range = [guildNo, days.first, days.last];
  if (source !== undefined && (await sql.first(FIND_HIDING, [...range, source])) !== undefined) {
    return undefined;
  }
  const whole = wholeDays(kinds, source !== undefined);
  let total = (await sql.first(whole, source === undefined ? range : [...range, source]))?.total ?? 0;
  for (const piece of pieces) {
    const { first, last } = daysOf(piece);
    if (((await sql.first(COUNT_DAYS, [guildNo, first, last]))?.entries ?? 0) > LOOKED_AT_MAX) {
      return undefined;
    }
    const statement = counts(`piece ${viewShape(query)}`, (dialect) => countStretchSql(dialect, query));
    const values = [guildNo, ...stretchValues(piece), ...viewValues(query)];
    total += (await sql.first(statement, values))?.total ?? 0;
  }
  return total;
}

function wholeDays(kinds: string, isBySource: boolean) {
  return counts(`${kinds} ${isBySource}`, () =>
    isBySource
      ? `SELECT CAST(coalesce(sum(${kinds}), 0) AS bigint) AS total FROM guild_day_source
         WHERE guild_no = $1 AND day BETWEEN $2 AND $3 AND source = $4`
      : `SELECT CAST(coalesce(sum(${kinds}), 0) AS bigint) AS total FROM guild_day WHERE guild_no = $1 AND day BETWEEN $2 AND $3`,
  );
}
