import type { DatabaseSync } from 'node:sqlite';
import {
  type GuildListing,
  type GuildListingQuery,
  type LedgerPosition,
  LOOKED_AT_MAX,
} from '../../domain/ledger/ledger-views.ts';
import type { SortOrder } from '../../domain/model.ts';
import type { DetailedRow } from '../detailed-row.ts';
import {
  assertSortable,
  countedKinds,
  countedParts,
  countStretchSql,
  DAY_COST,
  dayOfStretch,
  daysOf,
  type GuildListingDialect,
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
} from '../guild-listing-sql.ts';
import { DETAILED } from '../row-form.ts';
import { inSnapshot, prepare, prepareOnDemand } from './connection.ts';

export const GUILD_DIALECT: GuildListingDialect = {
  form: DETAILED,
  placeholder: () => '?',
  timeIndexHint: 'INDEXED BY ledger_by_time',
  rowOfEntry:
    'JOIN ledger_transaction AS t ON t.guild_no = e.guild_no AND t.account_no = e.account_no AND t.seq = e.seq',
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
};

/** A stretch of the list, and how many transactions it has at most. */
interface Leg extends Stretch {
  entries: number;
}

/** Lists a guild's transactions, looking at a bounded number of them. */
export function createGuildListing(db: DatabaseSync) {
  const pages = prepareOnDemand<DetailedRow>(db);
  const findPlace = {
    asc: prepare<LedgerPosition>(db, placeSql(GUILD_DIALECT, 'asc')),
    desc: prepare<LedgerPosition>(db, placeSql(GUILD_DIALECT, 'desc')),
  };
  const legsOf = createLegs(db);
  const count = createCount(db);
  const countDays = prepareDayCount(db);

  /** Where to stop looking so that no more than so many are looked at; undefined when the leg is no longer than that. */
  function stopOf(guildNo: number, leg: Leg, { max, order }: { max: number; order: SortOrder }) {
    return leg.entries <= max ? undefined : findPlace[order].get(guildNo, ...stretchValues(leg), max - 1);
  }

  function searchByTime(guildNo: number, query: GuildListingQuery): Omit<GuildListing, 'total'> {
    const { sortOrder: order = 'desc' } = query;
    const page = pages(`${order} ${viewShape(query)}`, () => stretchSql(GUILD_DIALECT, query, order));
    const rows: DetailedRow[] = [];
    let left = lookedAtMax(query);
    for (const leg of legsOf(guildNo, query)) {
      if (left <= 0) {
        return toListing(rows, query, order === 'desc' ? leg.later : leg.earlier);
      }
      const stop = stopOf(guildNo, leg, { max: left, order });
      const values = stretchValues(stop === undefined ? leg : stoppedAt(leg, stop, order));
      // One more than the page has tells whether there is another page.
      const missing = query.limit + 1 - rows.length;
      rows.push(...page.all(guildNo, ...values, ...viewValues(query), missing));
      if (rows.length > query.limit || stop !== undefined) {
        return toListing(rows, query, stop);
      }
      left -= Math.max(leg.entries, DAY_COST);
    }
    return toListing(rows, query, undefined);
  }

  function searchByValue(guildNo: number, query: GuildListingQuery): Omit<GuildListing, 'total'> {
    const { sortBy = 'createdAt', sortOrder = 'desc', limit, after = sortStart(sortOrder) } = query;
    if (sortBy === 'createdAt') {
      return searchByTime(guildNo, query);
    }
    const stretch = stretchOf({ ...query, after: undefined });
    const { first, last } = daysOf(stretch);
    assertSortable(countDays(guildNo, first, last));
    const page = pages(`${sortBy} ${sortOrder} ${viewShape(query)}`, () =>
      sortedSql(GUILD_DIALECT, query, { sortBy, sortOrder }),
    );
    const place = [after.value, after.createdAtMs, after.accountNo, after.seq];
    const values = [guildNo, ...stretchValues(stretch), ...viewValues(query), ...place, limit + 1, guildNo];
    return toListing(page.all(...values), query, undefined);
  }

  return ({ guildNo, query }: { guildNo: number; query: GuildListingQuery }): GuildListing =>
    inSnapshot(db, () => ({ ...searchByValue(guildNo, query), total: count(guildNo, query) }));
}

function prepareDayCount(db: DatabaseSync) {
  const find = prepare<{ entries: number }>(
    db,
    `SELECT coalesce(sum(deposit_count + withdrawal_count), 0) AS entries FROM guild_day
     WHERE guild_no = ? AND day BETWEEN ? AND ?`,
  );
  return (guildNo: number, first: number, last: number): number =>
    find.get(guildNo, first, last)?.entries ?? 0;
}

/** The whole list in one leg, or for one source the days that have it, in the order of the list. */
function createLegs(db: DatabaseSync) {
  const daysSql = (order: SortOrder) =>
    `SELECT d.day, d.deposit_count + d.withdrawal_count AS entries FROM guild_day AS d
     WHERE d.guild_no = ? AND d.day BETWEEN ? AND ? AND EXISTS (SELECT 1 FROM guild_day_source AS s
       WHERE s.guild_no = d.guild_no AND s.day = d.day AND s.source IN (?, ''))
     ORDER BY d.day ${order}`;
  const findDays = {
    asc: prepare<{ day: number; entries: number }>(db, daysSql('asc')),
    desc: prepare<{ day: number; entries: number }>(db, daysSql('desc')),
  };
  return function* legsOf(guildNo: number, query: GuildListingQuery): Generator<Leg> {
    const stretch = stretchOf(query);
    if (query.source === undefined) {
      yield { ...stretch, entries: Number.POSITIVE_INFINITY };
      return;
    }
    const { first, last } = daysOf(stretch);
    for (const { day, entries } of findDays[query.sortOrder ?? 'desc'].iterate(
      guildNo,
      first,
      last,
      query.source,
    )) {
      yield { ...dayOfStretch(stretch, day), entries };
    }
  };
}

/** Counts from the daily sums where they can tell, and the pieces of days at both ends one by one where they are short. */
function createCount(db: DatabaseSync) {
  const counts = prepareOnDemand<{ total: number }>(db);
  const countDays = prepareDayCount(db);
  const findHiding = prepare<{ day: number }>(
    db,
    `SELECT d.day FROM guild_day AS d WHERE d.guild_no = ? AND d.day BETWEEN ? AND ?
       AND EXISTS (SELECT 1 FROM guild_day_source AS s
         WHERE s.guild_no = d.guild_no AND s.day = d.day AND s.source = '')
       AND NOT EXISTS (SELECT 1 FROM guild_day_source AS s
         WHERE s.guild_no = d.guild_no AND s.day = d.day AND s.source = ?)
     LIMIT 1`,
  );
  const wholeDays = (kinds: string, isBySource: boolean) =>
    counts(`${kinds} ${isBySource}`, () =>
      isBySource
        ? `SELECT coalesce(sum(${kinds}), 0) AS total FROM guild_day_source
           WHERE guild_no = ? AND day BETWEEN ? AND ? AND source = ?`
        : `SELECT coalesce(sum(${kinds}), 0) AS total FROM guild_day WHERE guild_no = ? AND day BETWEEN ? AND ?`,
    );
  return (guildNo: number, query: GuildListingQuery): number | undefined => {
    const kinds = countedKinds(query);
    const { days, pieces } = countedParts(query);
    if (kinds === undefined) {
      return undefined;
    }
    const { source } = query;
    const range = [guildNo, days.first, days.last] as const;
    if (source !== undefined && findHiding.get(...range, source) !== undefined) {
      return undefined;
    }
    let total =
      wholeDays(kinds, source !== undefined).get(...range, ...(source === undefined ? [] : [source]))
        ?.total ?? 0;
    for (const piece of pieces) {
      const { first, last } = daysOf(piece);
      if (countDays(guildNo, first, last) > LOOKED_AT_MAX) {
        return undefined;
      }
      const statement = counts(`piece ${viewShape(query)}`, () => countStretchSql(GUILD_DIALECT, query));
      total += statement.get(guildNo, ...stretchValues(piece), ...viewValues(query))?.total ?? 0;
    }
    return total;
  };
}
