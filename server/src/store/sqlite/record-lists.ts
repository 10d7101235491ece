import type { DatabaseSync } from 'node:sqlite';
import type { GuildRef } from '../../domain/model.ts';
import type { PageOf, PlayerRecords, RecordPage } from '../../domain/record-lists.ts';
import {
  type AnyFilter,
  dischargeTypesSql,
  filterShape,
  filterValues,
  hasRecordFilters,
  listShape,
  type RecordDialect,
  type RecordTable,
  recordCountSql,
  recordExportSql,
  recordPageSql,
  recordTotalSql,
} from '../record-listing-sql.ts';
import { inSnapshot, prepare, prepareOnDemand } from './connection.ts';
import { readRows } from './read-rows.ts';
import type { StoreParts } from './write.ts';

const DIALECT: RecordDialect = {
  placeholder: () => '?',
  // Named outright, because without statistics the planner may prefer sorting by hand.
  indexHint: (index) => `INDEXED BY ${index}`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
};

export interface RecordListing<Item> {
  list(guild: GuildRef, filter: AnyFilter & PageOf): Promise<RecordPage<Item>>;
  read(guild: GuildRef, filter: AnyFilter): AsyncIterable<Item>;
  count(guild: GuildRef, range: AnyFilter['range']): Promise<number>;
}

/** The pages of one kind of record. `toRecord` makes a record of a row, which lacks the guild's id. */
export function createRecordListing<Row, Item>(
  { db, read, openReader }: Pick<StoreParts<never>, 'db' | 'read' | 'openReader'>,
  table: RecordTable,
  toRecord: (row: Row, guildId: string) => Item,
): RecordListing<Item> {
  const pages = prepareOnDemand<Row>(db);
  const counts = prepareOnDemand<{ total: number }>(db);
  const countAll = prepare<{ total: number }>(db, recordTotalSql(DIALECT, table));

  function countMatching(guildNo: number, filter: AnyFilter): number {
    if (!hasRecordFilters(filter)) {
      return countAll.get(guildNo)?.total ?? 0;
    }
    const statement = counts(filterShape(filter), () => recordCountSql(DIALECT, table, filter));
    return statement.get(...filterValues(guildNo, filter))?.total ?? 0;
  }

  function listPage({ guildNo, guildId }: GuildRef, filter: AnyFilter & PageOf): RecordPage<Item> {
    const total = countMatching(guildNo, filter);
    const offset = (filter.page - 1) * filter.limit;
    if (offset >= total) {
      return { records: [], total };
    }
    const statement = pages(listShape(filter), () => recordPageSql(DIALECT, table, filter));
    // No more than there are, so that a search ends with its last match instead of looking on to the end.
    const limit = Math.min(filter.limit, total - offset);
    const rows = statement.all(...filterValues(guildNo, filter), limit, offset, guildNo);
    return { records: rows.map((row) => toRecord(row, guildId)), total };
  }

  return {
    list: (guild, filter) => read(() => inSnapshot(db, () => listPage(guild, filter))),
    read: ({ guildNo, guildId }, filter) =>
      readRows<Row, Item>({
        openReader,
        sql: recordExportSql(DIALECT, table, filter),
        values: filterValues(guildNo, filter),
        converter: () => (row) => toRecord(row, guildId),
      }),
    count: ({ guildNo }, range) =>
      read(() => countMatching(guildNo, { range, search: undefined, sortBy: 'date', sortOrder: 'asc' })),
  };
}

export function prepareDischargeTypes(db: DatabaseSync): (guildNo: number, limit: number) => string[] {
  const find = prepare<{ type: string }>(db, dischargeTypesSql(DIALECT));
  return (guildNo, limit) => find.all(guildNo, guildNo, limit).map(({ type }) => type);
}

export function preparePlayerRecords(db: DatabaseSync): (guildNo: number, playerId: string) => PlayerRecords {
  const count = prepare<Omit<PlayerRecords, 'playerId'>>(
    db,
    `SELECT (SELECT count(*) FROM discharge WHERE guild_no = ?1 AND player_id = ?2) AS discharges,
       (SELECT count(*) FROM transfer WHERE guild_no = ?1 AND player_id = ?2) AS transfers`,
  );
  return (guildNo, playerId) => ({
    playerId,
    ...(count.get(guildNo, playerId) ?? { discharges: 0, transfers: 0 }),
  });
}
