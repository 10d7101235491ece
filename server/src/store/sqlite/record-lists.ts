import type { DatabaseSync } from 'node:sqlite';
import type { GuildRef } from '../../domain/model.ts';
import type { PageOf, RecordPage, RecordWalk } from '../../domain/records/record-lists.ts';
import type { RecordKind } from '../record-kinds.ts';
import {
  type AnyFilter,
  dischargeTypesSql,
  filterShape,
  filterValues,
  hasRecordFilters,
  listShape,
  type RecordTable,
  recordCountSql,
  recordPageSql,
  recordTotalSql,
  recordWalkSql,
  walkShape,
  walkValues,
} from '../record-listing-sql.ts';
import { inSnapshot, prepare, prepareOnDemand } from './connection.ts';
import { prepareHasMany } from './long-read.ts';
import { RECORD_DIALECT } from './record-dialect.ts';
import type { ReadRecordRanges } from './record-readings.ts';
import type { StoreParts } from './write.ts';

export interface RecordListing<Item> {
  list(guild: GuildRef, filter: AnyFilter & PageOf): Promise<RecordPage<Item>>;
  walk(guild: GuildRef, walk: RecordWalk): Promise<Item[]>;
  read(guild: GuildRef, filter: AnyFilter): AsyncIterable<Item>;
  count(guild: GuildRef, range: AnyFilter['range']): Promise<number>;
}

export interface RecordQuery {
  guild: GuildRef;
  filter: AnyFilter & PageOf;
}

export interface WalkQuery {
  guild: GuildRef;
  walk: RecordWalk;
}

/** The same on a thread of its own. */
export interface ListElsewhere<Item> {
  list: (input: RecordQuery) => Promise<RecordPage<Item>>;
  walk: (input: WalkQuery) => Promise<Item[]>;
}

interface ListingParts<Item> extends Pick<StoreParts<never>, 'db' | 'read'> {
  readRecordRanges: ReadRecordRanges;
  elsewhere: ListElsewhere<Item>;
}

/** The lists of one kind of record. Any page may visit all records of its guild; where they are many, elsewhere. */
export function createRecordListing<Row extends object, Item extends { id: string }>(
  { db, read, readRecordRanges, elsewhere }: ListingParts<Item>,
  kind: RecordKind<Item, Row>,
): RecordListing<Item> {
  const { table } = kind;
  const listHere = createRecordPages(db, kind);
  const walkHere = createRecordWalk(db, kind);
  const count = createRecordCount(db, table);
  const hasMany = prepareHasMany(db, { table: table.name, index: `${table.name}_by_player` });
  return {
    list: (guild, filter) =>
      read(() => (hasMany(guild.guildNo) ? elsewhere.list({ guild, filter }) : listHere({ guild, filter }))),
    // Only a search looks at more than it finds.
    walk: (guild, walk) =>
      read(() =>
        walk.search !== undefined && hasMany(guild.guildNo)
          ? elsewhere.walk({ guild, walk })
          : walkHere({ guild, walk }),
      ),
    // The reading of a table gives the items of its kind.
    read: (guild, filter) =>
      readRecordRanges({
        table: table.name,
        guild,
        filter,
      }) as AsyncIterable<unknown> as AsyncIterable<Item>,
    count: ({ guildNo }, range) =>
      read(() => count(guildNo, { range, search: undefined, sortBy: 'date', sortOrder: 'asc' })),
  };
}

/** Lists one kind of record page by page, each with its total, both of one moment. */
export function createRecordPages<Row extends object, Item extends { id: string }>(
  db: DatabaseSync,
  { table, toListedItem }: RecordKind<Item, Row>,
): (input: RecordQuery) => RecordPage<Item> {
  const pages = prepareOnDemand<Omit<Row, 'guildId'>>(db);
  const count = createRecordCount(db, table);

  function listPage({ guild, filter }: RecordQuery): RecordPage<Item> {
    const { guildNo, guildId } = guild;
    const total = count(guildNo, filter);
    const offset = (filter.page - 1) * filter.limit;
    if (offset >= total) {
      return { records: [], total };
    }
    const statement = pages(listShape(filter), () => recordPageSql(RECORD_DIALECT, table, filter));
    // No more than there are, so that a search ends with its last match instead of looking on to the end.
    const limit = Math.min(filter.limit, total - offset);
    const rows = statement.all(...filterValues(guildNo, filter), limit, offset, guildNo);
    return { records: rows.map((row) => toListedItem(row, guildId)), total };
  }

  return (input) => inSnapshot(db, () => listPage(input));
}

/** Lists one kind of record along the dates. */
export function createRecordWalk<Row extends object, Item extends { id: string }>(
  db: DatabaseSync,
  { table, toListedItem }: RecordKind<Item, Row>,
): (input: WalkQuery) => Item[] {
  const pages = prepareOnDemand<Omit<Row, 'guildId'>>(db);
  return ({ guild: { guildNo, guildId }, walk }) => {
    const statement = pages(walkShape(walk), () => recordWalkSql(RECORD_DIALECT, table, walk));
    return statement.all(...walkValues(guildNo, walk)).map((row) => toListedItem(row, guildId));
  };
}

function createRecordCount(db: DatabaseSync, table: RecordTable) {
  const counts = prepareOnDemand<{ total: number }>(db);
  const countAll = prepare<{ total: number }>(db, recordTotalSql(RECORD_DIALECT, table));
  return (guildNo: number, filter: AnyFilter): number => {
    if (!hasRecordFilters(filter)) {
      return countAll.get(guildNo)?.total ?? 0;
    }
    const statement = counts(filterShape(filter), () => recordCountSql(RECORD_DIALECT, table, filter));
    return statement.get(...filterValues(guildNo, filter))?.total ?? 0;
  };
}

export function prepareDischargeTypes(db: DatabaseSync): (guildNo: number, limit: number) => string[] {
  const find = prepare<{ type: string }>(db, dischargeTypesSql(RECORD_DIALECT));
  return (guildNo, limit) => find.all(guildNo, guildNo, limit).map(({ type }) => type);
}

export function preparePlayerCount(
  db: DatabaseSync,
  table: RecordTable,
): (guildNo: number, playerId: string) => number {
  const count = prepare<{ total: number }>(
    db,
    `SELECT count(*) AS total FROM ${table.name} WHERE guild_no = ? AND player_id = ?`,
  );
  return (guildNo, playerId) => count.get(guildNo, playerId)?.total ?? 0;
}
