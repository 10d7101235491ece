import type { GuildRef } from '../../domain/model.ts';
import type { PageOf, RecordPage, RecordWalk } from '../../domain/records/record-lists.ts';
import type { RecordKind } from '../record-kinds.ts';
import {
  type AnyFilter,
  dischargeTypesSql,
  filterShape,
  filterValues,
  listShape,
  type RecordDialect,
  type RecordTable,
  recordCountSql,
  recordExportSql,
  recordPageSql,
  recordWalkSql,
  walkShape,
  walkValues,
} from '../record-listing-sql.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { NO_HINTS, prepare, prepareOnDemand, type Runner } from './statement.ts';

const DIALECT: RecordDialect = { ...NO_HINTS, contains: (column, text) => `strpos(${column}, ${text}) > 0` };

const FIND_TYPES = prepare<{ type: string }>(dischargeTypesSql(DIALECT));
const COUNT_BY_PLAYER = { discharge: prepareCount('discharge'), transfer: prepareCount('transfer') };

function prepareCount(table: RecordTable['name']) {
  return prepare<{ total: number }>(
    `SELECT (SELECT count(*) FROM ${table} WHERE guild_no = $1 AND player_id = wanted.player_id) AS total
     FROM unnest($2::text[]) WITH ORDINALITY AS wanted (player_id, position) ORDER BY wanted.position`,
  );
}

export interface RecordListing<Item> {
  list(guild: GuildRef, filter: AnyFilter & PageOf): Promise<RecordPage<Item>>;
  walk(guild: GuildRef, walk: RecordWalk): Promise<Item[]>;
  read(guild: GuildRef, filter: AnyFilter): AsyncIterable<Item>;
  count(guild: GuildRef, range: AnyFilter['range']): Promise<number>;
}

export function createRecordListing<Item extends { id: string }, Row extends object>(
  kind: RecordKind<Item, Row>,
  { read, openReader }: { read: Runner; openReader: OpenReader },
): RecordListing<Item> {
  type ListedRow = Omit<Row, 'guildId'>;
  const { table } = kind;
  const pages = prepareOnDemand<{ total: number; rows: ListedRow[] }>();
  const counts = prepareOnDemand<{ total: number }>();
  const walks = prepareOnDemand<ListedRow>();

  return {
    async list({ guildNo, guildId }, filter) {
      const statement = pages(listShape(filter), () => pageAndTotalSql(kind, filter));
      const offset = (filter.page - 1) * filter.limit;
      const values = [...filterValues(guildNo, filter), filter.limit, offset, guildNo];
      const { total, rows } = (await read.first(statement, values)) ?? { total: 0, rows: [] };
      return { records: rows.map((row) => kind.toListedItem(row, guildId)), total };
    },
    async walk({ guildNo, guildId }, walk) {
      const statement = walks(walkShape(walk), () => recordWalkSql(DIALECT, table, walk));
      const rows = await read.all(statement, walkValues(guildNo, walk));
      return rows.map((row) => kind.toListedItem(row, guildId));
    },
    read: ({ guildNo, guildId }, filter) =>
      readRows<ListedRow, Item>({
        openReader,
        sql: recordExportSql(DIALECT, table, filter),
        values: filterValues(guildNo, filter),
        convert: (row) => kind.toListedItem(row, guildId),
      }),
    async count({ guildNo }, range) {
      const filter: AnyFilter = { range, search: undefined, sortBy: 'date', sortOrder: 'asc' };
      const statement = counts(filterShape(filter), () => recordCountSql(DIALECT, table, filter));
      return (await read.first(statement, filterValues(guildNo, filter)))?.total ?? 0;
    },
  };
}

/** In one statement, which sees one moment, so that page and total agree. Both parts count their values alike. */
function pageAndTotalSql<Item extends { id: string }, Row extends object>(
  { table }: RecordKind<Item, Row>,
  filter: AnyFilter,
): string {
  return (
    `SELECT (${recordCountSql(DIALECT, table, filter)}) AS total, ` +
    `(SELECT coalesce(json_agg(listed), '[]') FROM (${recordPageSql(DIALECT, table, filter)}) AS listed) AS rows`
  );
}

export async function findDischargeTypes(read: Runner, guildNo: number, limit: number): Promise<string[]> {
  return (await read.all(FIND_TYPES, [guildNo, guildNo, limit])).map(({ type }) => type);
}

export async function countByPlayer(
  read: Runner,
  table: RecordTable,
  { guildNo, playerIds }: { guildNo: number; playerIds: readonly string[] },
): Promise<number[]> {
  const rows = await read.all(COUNT_BY_PLAYER[table.name], [guildNo, playerIds]);
  return rows.map(({ total }) => total);
}
