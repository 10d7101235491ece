import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../domain/calendar.ts';
import type { GuildListing, GuildListingQuery, LedgerPosition } from '../../domain/ledger/ledger-views.ts';
import type { DetailedRow } from '../detailed-row.ts';
import {
  DAY_COST,
  type GuildListingDialect,
  lookedAtMax,
  NEWEST,
  OLDEST,
  placeSql,
  type Stretch,
  startOfDay,
  stretchSql,
  stretchValues,
  toListing,
} from '../guild-listing-sql.ts';
import { DETAILED, filterShape, givenValues } from '../listing-sql.ts';
import { inSnapshot, prepare, prepareOnDemand } from './connection.ts';

export const GUILD_DIALECT: GuildListingDialect = {
  form: DETAILED,
  placeholder: () => '?',
  timeIndexHint: 'INDEXED BY ledger_by_time',
  rowOfEntry:
    'JOIN ledger_transaction AS t ON t.guild_no = e.guild_no AND t.account_no = e.account_no AND t.seq = e.seq',
};

/** A stretch of the list, and how many transactions it has at most. */
interface Leg extends Stretch {
  entries: number;
}

/** Lists a guild's transactions, newest first, looking at a bounded number of them. */
export function createGuildListing(db: DatabaseSync) {
  const pages = prepareOnDemand<DetailedRow>(db);
  const findPlace = prepare<LedgerPosition>(db, placeSql(GUILD_DIALECT));
  const legsOf = createLegs(db);
  const count = createCount(db);

  /** Where to stop looking so that no more than so many are looked at; undefined when the leg is no longer than that. */
  function stopOf(guildNo: number, leg: Leg, max: number): LedgerPosition | undefined {
    return leg.entries <= max ? undefined : findPlace.get(guildNo, ...stretchValues(leg), max - 1);
  }

  function search(guildNo: number, query: GuildListingQuery): Omit<GuildListing, 'total'> {
    const page = pages(filterShape(query), () => stretchSql(GUILD_DIALECT, query));
    const rows: DetailedRow[] = [];
    let left = lookedAtMax(query);
    for (const leg of legsOf(guildNo, query)) {
      if (left <= 0) {
        return toListing(rows, query.limit, leg.from);
      }
      const stop = stopOf(guildNo, leg, left);
      const values = stretchValues({ from: leg.from, to: stop ?? leg.to });
      // One more than the page has tells whether there is another page.
      const missing = query.limit + 1 - rows.length;
      rows.push(...page.all(guildNo, ...values, ...givenValues(query), missing));
      if (rows.length > query.limit || stop !== undefined) {
        return toListing(rows, query.limit, stop);
      }
      left -= Math.max(leg.entries, DAY_COST);
    }
    return toListing(rows, query.limit, undefined);
  }

  return ({ guildNo, query }: { guildNo: number; query: GuildListingQuery }): GuildListing =>
    inSnapshot(db, () => ({ ...search(guildNo, query), total: count(guildNo, query) }));
}

/** The whole list in one leg, or for one source the days that have it, newest first. */
function createLegs(db: DatabaseSync) {
  const findDays = prepare<{ day: number; entries: number }>(
    db,
    `SELECT d.day, d.deposit_count + d.withdrawal_count AS entries FROM guild_day AS d
     WHERE d.guild_no = ? AND d.day <= ? AND EXISTS (SELECT 1 FROM guild_day_source AS s
       WHERE s.guild_no = d.guild_no AND s.day = d.day AND s.source IN (?, ''))
     ORDER BY d.day DESC`,
  );
  return function* legsOf(guildNo: number, query: GuildListingQuery): Generator<Leg> {
    const { before = NEWEST, source } = query;
    if (source === undefined) {
      yield { from: before, to: OLDEST, entries: Number.POSITIVE_INFINITY };
      return;
    }
    for (const { day, entries } of findDays.iterate(guildNo, dayOf(before.createdAtMs), source)) {
      const from = day === dayOf(before.createdAtMs) ? before : startOfDay(day + 1);
      yield { from, to: startOfDay(day), entries };
    }
  };
}

/** Counts from the daily sums: not at all by amount, and by source only where that source has sums on every day. */
function createCount(db: DatabaseSync) {
  const countAll = prepare<{ total: number }>(
    db,
    'SELECT coalesce(sum(deposit_count + withdrawal_count), 0) AS total FROM guild_day WHERE guild_no = ?',
  );
  const countSource = prepare<{ total: number }>(
    db,
    `SELECT coalesce(sum(s.deposit_count + s.withdrawal_count), 0) AS total FROM guild_day AS d
     CROSS JOIN guild_day_source AS s
     WHERE d.guild_no = ? AND s.guild_no = d.guild_no AND s.day = d.day AND s.source = ?`,
  );
  const findHiding = prepare<{ day: number }>(
    db,
    `SELECT d.day FROM guild_day AS d WHERE d.guild_no = ?
       AND EXISTS (SELECT 1 FROM guild_day_source AS s
         WHERE s.guild_no = d.guild_no AND s.day = d.day AND s.source = '')
       AND NOT EXISTS (SELECT 1 FROM guild_day_source AS s
         WHERE s.guild_no = d.guild_no AND s.day = d.day AND s.source = ?)
     LIMIT 1`,
  );
  return (guildNo: number, { source, minUnits, maxUnits }: GuildListingQuery): number | undefined => {
    if (minUnits !== undefined || maxUnits !== undefined) {
      return undefined;
    }
    if (source === undefined) {
      return countAll.get(guildNo)?.total;
    }
    return findHiding.get(guildNo, source) === undefined
      ? countSource.get(guildNo, source)?.total
      : undefined;
  };
}
