import type {
  DischargeFilter,
  RecordFilter,
  RecordSortKey,
  RecordWalk,
  RecordWalkFilter,
} from '../../domain/records/record-lists.ts';
import type { Dialect } from '../dialect.ts';
import { searchKey } from './record-keys.ts';
import type { RecordTable } from './record-kinds.ts';

/** Transfers have no type; their filters leave it out. */
export type AnyFilter = RecordFilter & Partial<Pick<DischargeFilter, 'type'>>;

/** The key of a prepared statement. At most 20 lists and 4 counts of a table are ever prepared. */
export function listShape(filter: AnyFilter): string {
  return `${filter.sortBy} ${filter.sortOrder} ${hasRecordFilters(filter)} ${filterShape(filter)}`;
}

export function filterShape({ type, search }: AnyFilter): string {
  return [type !== undefined && 'type', search !== undefined && 'search'].filter(Boolean).join(' ');
}

/**
 * One page and the number of all matches, in one statement and thus from one snapshot. Values: those of
 * `filterValues`, then limit and offset. A row without an id means that the page is empty. Finds the ids of the page
 * first, from the index alone, and then their rows, so that skipped rows are never fetched. The limit never exceeds
 * the number of matches left, so that a search ends with its last match.
 */
export function recordPageSql(dialect: Dialect, table: RecordTable, filter: AnyFilter): string {
  const { sql, values } = filterClause(dialect, table, filter);
  const [limit, offset] = [`$${values + 1}`, `$${values + 2}`];
  const column = sortColumn(table, filter.sortBy);
  const direction = filter.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const left = dialect.least(
    `CAST(${limit} AS bigint)`,
    dialect.greatest(`total - CAST(${offset} AS bigint)`, '0'),
  );
  const total = hasRecordFilters(filter)
    ? recordCountSql(dialect, table, filter)
    : recordTotalSql(dialect, table);
  return (
    `WITH counted AS MATERIALIZED (${total}) SELECT counted.total, ${table.listed} FROM counted ` +
    `LEFT JOIN (SELECT ${column} AS sorted, ${table.id} AS page_id ` +
    `FROM ${table.name} ${dialect.indexedBy(listIndex(table, filter))} WHERE ${sql} ` +
    `ORDER BY ${column} ${direction}, ${table.id} ${direction} ` +
    `LIMIT (SELECT ${left} FROM counted) OFFSET ${offset}) AS page ON true ` +
    `LEFT JOIN ${table.name} AS r ON r.guild_no = $1 AND r.${table.id} = page_id ` +
    `ORDER BY sorted ${direction}, page_id ${direction}`
  );
}

/** How many records match. Values: those of `filterValues`. */
export function recordCountSql(dialect: Dialect, table: RecordTable, filter: AnyFilter): string {
  const { sql } = filterClause(dialect, table, filter);
  const hint = dialect.indexedBy(listIndex(table, { ...filter, sortBy: 'date' }));
  return `SELECT count(*) AS "total" FROM ${table.name} ${hint} WHERE ${sql}`;
}

/** How many records the guild has. Values: guild. Read from the smallest index, because every first page asks for it. */
export function recordTotalSql(dialect: Dialect, table: RecordTable): string {
  const hint = dialect.indexedBy(`${table.name}_by_player`);
  return `SELECT count(*) AS "total" FROM ${table.name} ${hint} WHERE guild_no = $1`;
}

export function hasRecordFilters({ range, type, search }: AnyFilter): boolean {
  const { sinceMs, untilMs } = range;
  const isBounded = sinceMs !== Number.MIN_SAFE_INTEGER || untilMs !== Number.MAX_SAFE_INTEGER;
  return isBounded || type !== undefined || search !== undefined;
}

/** The key of a prepared statement of `recordWalkSql`. A table has at most eight. */
export function walkShape({ type, search, playerId }: RecordWalkFilter): string {
  return [type !== undefined && 'type', search !== undefined && 'search', playerId !== undefined && 'player']
    .filter(Boolean)
    .join(' ');
}

/**
 * The records before a place in the order of dates, newest first. Values: those of `walkValues`. Finds ids first here
 * too. Date and id are compared as one row value, so that the index seek starts at the place. Without a place, the page
 * starts at the end of the range.
 */
export function recordWalkSql(dialect: Dialect, table: RecordTable, filter: RecordWalkFilter): string {
  let count = 0;
  const next = () => {
    count += 1;
    return `$${count}`;
  };
  const { dateMs, id, name } = table;
  const conditions = [`guild_no = ${next()}`, `${dateMs} >= ${next()}`];
  conditions.push(`(${dateMs}, ${id}) < (${next()}, ${next()})`);
  if (filter.playerId !== undefined) conditions.push(`player_id = ${next()}`);
  if (filter.type !== undefined) conditions.push(`type = ${next()}`);
  if (filter.search !== undefined) conditions.push(dialect.contains('search_text', next()));
  const byPlayer = filter.playerId !== undefined && `${name}_by_player`;
  const index = byPlayer || listIndex(table, { ...filter, sortBy: 'date', sortOrder: 'desc' });
  return (
    `SELECT ${table.listed} FROM (SELECT ${dateMs} AS sorted, ${id} AS page_id FROM ${name} ` +
    `${dialect.indexedBy(index)} WHERE ${conditions.join(' AND ')} ORDER BY ${dateMs} DESC, ${id} DESC ` +
    `LIMIT ${next()}) AS page CROSS JOIN ${name} AS r WHERE r.guild_no = $1 AND r.${id} = page_id ` +
    'ORDER BY sorted DESC, page_id DESC'
  );
}

export function walkValues(guildNo: number, walk: RecordWalk): (number | string)[] {
  const { range, before, playerId, type, search, limit } = walk;
  const { dateMs, id } = before ?? { dateMs: range.untilMs, id: '' };
  return [
    guildNo,
    range.sinceMs,
    dateMs,
    id,
    ...(playerId === undefined ? [] : [playerId]),
    ...(type === undefined ? [] : [type]),
    ...(search === undefined ? [] : [searchKey(search)]),
    limit,
  ];
}

/** Every record that matches, in order. Values: those of `filterValues`. */
export function recordExportSql(dialect: Dialect, table: RecordTable, filter: AnyFilter): string {
  const { sql } = filterClause(dialect, table, filter);
  const direction = filter.sortOrder === 'asc' ? 'ASC' : 'DESC';
  return (
    `SELECT ${table.listed} FROM ${table.name} AS r ${dialect.indexedBy(listIndex(table, filter))} ` +
    `WHERE ${sql} ORDER BY ${sortColumn(table, filter.sortBy)} ${direction}, ${table.id} ${direction}`
  );
}

export function filterValues(guildNo: number, filter: AnyFilter): (number | string)[] {
  const { range, type, search } = filter;
  const values: (number | string)[] = [guildNo, range.sinceMs, range.untilMs];
  if (type !== undefined) values.push(type);
  if (search !== undefined) values.push(searchKey(search));
  return values;
}

/**
 * The guild's types of discharge in order. Jumps from each to the next along the index, instead of reading all
 * discharges. Values: guild, limit.
 */
export const DISCHARGE_TYPES =
  'WITH RECURSIVE kind (type) AS (SELECT min(type) FROM discharge WHERE guild_no = $1 UNION ALL ' +
  'SELECT (SELECT min(type) FROM discharge WHERE guild_no = $1 AND type > kind.type) FROM kind ' +
  'WHERE kind.type IS NOT NULL) SELECT type FROM kind WHERE type IS NOT NULL LIMIT $2';

function filterClause(
  { contains }: Dialect,
  table: RecordTable,
  { type, search }: AnyFilter,
): { sql: string; values: number } {
  // A range without ends goes from the smallest to the largest number, so that it needs no statements of its own.
  const conditions = ['guild_no = $1', `${table.dateMs} >= $2`, `${table.dateMs} < $3`];
  if (type !== undefined) conditions.push(`type = $${conditions.length + 1}`);
  if (search !== undefined) conditions.push(contains('search_text', `$${conditions.length + 1}`));
  return { sql: conditions.join(' AND '), values: conditions.length };
}

function sortColumn(table: RecordTable, sortBy: RecordSortKey): string {
  return sortBy === 'name' ? 'name_key' : table.dateMs;
}

/**
 * The index by type is the shortest way to the dates of one type, but a search needs the text that the other indexes
 * hold.
 */
function listIndex(table: RecordTable, { sortBy, type, search }: AnyFilter): string {
  const isByType = sortBy === 'date' && type !== undefined && search === undefined;
  return `${table.name}_by_${isByType ? 'type' : sortBy}`;
}
