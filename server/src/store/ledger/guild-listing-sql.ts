import { dayOf, startOfDayMs } from '../../domain/calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  type GuildListing,
  type GuildListingQuery,
  type LedgerPosition,
  type ListPlace,
  LOOKED_AT_FOR_SOURCE_MAX,
  LOOKED_AT_MAX,
  SORTED_MAX,
  type ViewFilter,
} from '../../domain/ledger/ledger-views.ts';
import type { SortKey, SortOrder } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import type { Value } from '../sql.ts';
import { asciiLower, type DetailedRow, toDetailed } from './detailed-row.ts';
import { detailedForm } from './row-form.ts';
import type { SearchedFilter } from './searched.ts';
import { summedColumns } from './sums-sql.ts';
import { filterConditions, filterNames, filterValues, hasFilters, needsRow } from './transaction-filters.ts';

/** The guild is the first value of every statement that lists transactions. */
const FORM = detailedForm('$1');

/** The index by time, whose entries are named `e`. */
export const entriesByTime = ({ indexedBy }: Dialect) =>
  `ledger_transaction AS e ${indexedBy('ledger_by_time')}`;

/** Joins the row `t` of an entry `e`. */
export function rowOfEntry({ engine }: Dialect): string {
  return engine === 'sqlite'
    ? 'JOIN ledger_transaction AS t ON t.guild_no = e.guild_no AND t.account_no = e.account_no AND t.seq = e.seq'
    : // The ORDER BY makes PostgreSQL use the primary key. Without statistics it may choose another index.
      `CROSS JOIN LATERAL (SELECT * FROM ledger_transaction AS o WHERE o.guild_no = $1
        AND o.account_no = e.account_no AND o.seq >= e.seq ORDER BY o.seq LIMIT 1) AS t`;
}

/** How many transactions a page may visit. Unlimited without filters, where every visited transaction is on the page. */
export function lookedAtMax(filter: ViewFilter): number {
  if (needsRow(filter) || filter.search !== undefined) {
    return LOOKED_AT_FOR_SOURCE_MAX;
  }
  return hasFilters(filter) ? LOOKED_AT_MAX : Number.POSITIVE_INFINITY;
}

/** Every transaction comes before NEWEST and after OLDEST. */
export const NEWEST: LedgerPosition = { createdAtMs: Number.MAX_SAFE_INTEGER, accountNo: 0, seq: 0 };
export const OLDEST: LedgerPosition = { createdAtMs: Number.MIN_SAFE_INTEGER, accountNo: 0, seq: 0 };

/** A part of the guild's list after `earlier` and before `later`. Neither end is in it. */
export interface Stretch {
  earlier: LedgerPosition;
  later: LedgerPosition;
}

/** The cost of moving to another day, in visited transactions. */
export const DAY_COST = 20;

/** The place before all transactions of that millisecond. */
export function placeAt(createdAtMs: number): LedgerPosition {
  return { createdAtMs, accountNo: 0, seq: 0 };
}

/** The stretch of a query by time, starting where the page before ended. */
export function stretchOf({ sinceMs, untilMs, sortOrder = 'desc', after }: GuildListingQuery): Stretch {
  const earlier = sinceMs === undefined ? OLDEST : placeAt(sinceMs);
  const later = untilMs === undefined ? NEWEST : placeAt(untilMs);
  if (after === undefined) {
    return { earlier, later };
  }
  return sortOrder === 'desc'
    ? { earlier, later: comesBefore(after, later) ? after : later }
    : { earlier: comesBefore(earlier, after) ? after : earlier, later };
}

function comesBefore(one: LedgerPosition, other: LedgerPosition): boolean {
  const difference =
    one.createdAtMs - other.createdAtMs || one.accountNo - other.accountNo || one.seq - other.seq;
  return difference < 0;
}

/** The first and last day of a stretch. */
export function daysOf({ earlier, later }: Stretch): { first: number; last: number } {
  return { first: dayOf(earlier.createdAtMs), last: dayOf(later.createdAtMs) };
}

/** The part of a stretch up to and including the place where a search stops. */
export function stoppedAt(stretch: Stretch, stop: LedgerPosition, order: SortOrder): Stretch {
  return order === 'desc'
    ? { ...stretch, earlier: { ...stop, seq: stop.seq - 1 } }
    : { ...stretch, later: { ...stop, seq: stop.seq + 1 } };
}

/** The part of a stretch on one day. */
export function dayOfStretch(stretch: Stretch, day: number): Stretch {
  const { first, last } = daysOf(stretch);
  return {
    earlier: day === first ? stretch.earlier : placeAt(startOfDayMs(day)),
    later: day === last ? stretch.later : placeAt(startOfDayMs(day + 1)),
  };
}

/** The parts to count: whole days, which have sums, and parts of days, whose transactions are counted one by one. */
export interface CountedParts {
  days: { first: number; last: number };
  pieces: Stretch[];
}

export function countedParts(filter: ViewFilter): CountedParts {
  const { sinceMs = OLDEST.createdAtMs, untilMs = NEWEST.createdAtMs } = filter;
  const first = Math.ceil(sinceMs / startOfDayMs(1));
  const last = dayOf(untilMs) - 1;
  if (first > last) {
    return { days: { first: 0, last: -1 }, pieces: [{ earlier: placeAt(sinceMs), later: placeAt(untilMs) }] };
  }
  const before = { earlier: placeAt(sinceMs), later: placeAt(startOfDayMs(first)) };
  const behind = { earlier: placeAt(startOfDayMs(last + 1)), later: placeAt(untilMs) };
  // A range without a start or an end has no partial day there.
  const pieces = [
    ...(filter.sinceMs === undefined ? [] : [before]),
    ...(filter.untilMs === undefined ? [] : [behind]),
  ].filter(({ earlier, later }) => earlier.createdAtMs < later.createdAtMs);
  return { days: { first, last }, pieces };
}

/** The columns of the daily sums that count the matches of a filter; undefined when no columns do. */
export function countedKinds({ minUnits, maxUnits, search }: ViewFilter): string | undefined {
  const isOther = (bound: number | undefined) => bound !== undefined && bound !== 0;
  if (search !== undefined || isOther(minUnits) || isOther(maxUnits)) {
    return undefined;
  }
  if (minUnits !== undefined) {
    // Both bounds are zero here, and no amount is zero, so nothing matches.
    return maxUnits === undefined ? 'deposit_count' : '0';
  }
  return maxUnits === undefined ? 'deposit_count + withdrawal_count' : 'withdrawal_count';
}

/** Refuses to sort too many transactions. Sorting by anything except time reads every transaction of the range. */
export function assertSortable(entries: number): void {
  if (entries > SORTED_MAX) {
    throw new DomainError('invalid_input', {
      detail: `only up to ${SORTED_MAX} transactions are sorted this way; choose a shorter range`,
    });
  }
}

/**
 * Makes a page of the rows found, which are one more than `limit` when there is another page. `stop` is where the
 * search ended early.
 */
export function toListing(
  rows: DetailedRow[],
  { limit, sortBy = 'createdAt' }: Pick<GuildListingQuery, 'limit' | 'sortBy'>,
  stop: LedgerPosition | undefined,
): Omit<GuildListing, 'total'> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    transactions: rows.slice(0, limit).map(toDetailed),
    next: last === undefined ? stop && { ...stop, value: stop.createdAtMs } : placeOf(last, sortBy),
    searchedToMs: rows.length < limit ? stop?.createdAtMs : undefined,
  };
}

export function positionOf({ createdAtMs, accountNo, seq }: DetailedRow): LedgerPosition {
  return { createdAtMs, accountNo, seq };
}

function placeOf(row: DetailedRow, sortBy: SortKey): ListPlace {
  const { amountUnits: amount, quantity, totalUnits: total, createdAtMs: createdAt } = row;
  return { ...positionOf(row), value: { amount, quantity, total, createdAt }[sortBy] };
}

const POSITION = '(e.created_at, e.account_no, e.seq)';
const orderBy = (order: SortOrder) =>
  `ORDER BY ${['e.created_at', 'e.account_no', 'e.seq'].map((column) => `${column} ${order}`).join(', ')}`;

/**
 * The first matching rows of a stretch in order of time. Values: guild, those of `stretchValues`, the given filters,
 * limit. Tests the amount on entries `e` of the index before their rows `t` are fetched; with a single table, every
 * row would be fetched.
 */
export function stretchSql(dialect: Dialect, filter: ViewFilter, order: SortOrder): string {
  const { sql, next } = stretchClause(dialect, filter);
  return (
    `SELECT ${FORM.columns} FROM ${entriesByTime(dialect)} ` +
    `${rowOfEntry(dialect)} ${FORM.joins} WHERE ${sql} ${FORM.condition} ` +
    `${orderBy(order)} LIMIT $${next}`
  );
}

/**
 * The first matching rows of a stretch in order of another column, after a place of that order. Values: guild,
 * stretch, filters, the place's value and position, limit. Only the rows of the page are fetched in full.
 */
export function sortedSql(
  dialect: Dialect,
  filter: ViewFilter,
  { sortBy, sortOrder }: { sortBy: Exclude<SortKey, 'createdAt'>; sortOrder: SortOrder },
): string {
  const { sql, next } = stretchClause(dialect, filter);
  const at = (offset: number) => `$${next + offset}`;
  const order = (columns: readonly string[]) => columns.map((column) => `${column} ${sortOrder}`).join(', ');
  const isBehind = sortOrder === 'asc' ? '>' : '<';
  return (
    `SELECT ${FORM.columns} FROM (SELECT t.${sortBy} AS sorted, e.created_at AS page_time, ` +
    `e.account_no AS page_account, e.seq AS page_seq FROM ${entriesByTime(dialect)} ` +
    `${rowOfEntry(dialect)} WHERE ${sql} ` +
    `AND (t.${sortBy}, e.created_at, e.account_no, e.seq) ${isBehind} (${at(0)}, ${at(1)}, ${at(2)}, ${at(3)}) ` +
    `ORDER BY ${order([`t.${sortBy}`, 'e.created_at', 'e.account_no', 'e.seq'])} LIMIT ${at(4)}) AS page ` +
    `CROSS JOIN ledger_transaction AS t ${FORM.joins} ` +
    `WHERE t.guild_no = $1 AND t.account_no = page_account AND t.seq = page_seq ${FORM.condition} ` +
    `ORDER BY ${order(['sorted', 'page_time', 'page_account', 'page_seq'])}`
  );
}

/** The place before all others in an order by value. */
export function sortStart(sortOrder: SortOrder): ListPlace {
  const value = sortOrder === 'asc' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return { value, createdAtMs: value, accountNo: value, seq: value };
}

/** How many transactions of a stretch match. Values: guild, stretch, filters. */
export function countStretchSql(dialect: Dialect, filter: ViewFilter): string {
  const { sql } = stretchClause(dialect, filter);
  const row = needsRow(filter) ? rowOfEntry(dialect) : '';
  return `SELECT count(*) AS total FROM ${entriesByTime(dialect)} ${row} WHERE ${sql}`;
}

/** Counts and sums of the transactions of a stretch that match, as a `MoneyRow`. Values: guild, stretch, filters. */
export function sumStretchSql(dialect: Dialect, filter: ViewFilter): string {
  const { sql } = stretchClause(dialect, filter);
  return `SELECT ${summedColumns(dialect)} FROM ${entriesByTime(dialect)} ${rowOfEntry(dialect)} WHERE ${sql}`;
}

/**
 * The place after a number of entries of a stretch, from the index alone. Values: guild, stretch, how many to skip.
 */
export function placeSql(dialect: Dialect, order: SortOrder): string {
  const { sql, next } = stretchClause(dialect, {});
  return (
    'SELECT e.created_at AS "createdAtMs", e.account_no AS "accountNo", e.seq ' +
    `FROM ${entriesByTime(dialect)} WHERE ${sql} ${orderBy(order)} LIMIT 1 OFFSET $${next}`
  );
}

/** All transactions of a guild between two times, for a reader that filters them. Values: guild, since, until. */
export function guildSql(dialect: Dialect, order: SortOrder): string {
  return (
    `SELECT ${FORM.columns} FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_time')} ${FORM.joins} ` +
    `WHERE t.guild_no = $1 AND t.created_at >= $2 AND t.created_at < $3 ${FORM.condition} ` +
    `ORDER BY t.created_at ${order}, t.account_no ${order}, t.seq ${order}`
  );
}

export function stretchValues({ earlier, later }: Stretch): number[] {
  return [later.createdAtMs, later.accountNo, later.seq, earlier.createdAtMs, earlier.accountNo, earlier.seq];
}

/** The key of a prepared statement: the names of the filters that are set. */
export function viewShape(filter: Partial<ViewFilter>): string {
  return `${filterNames(filter)}${filter.search === undefined ? '' : ' search'}`;
}

/** The values of the filters that are set, in the order in which every statement binds them. */
export function viewValues(filter: SearchedFilter): Value[] {
  const { search, players = [] } = filter;
  const accountNos = players.map(({ accountNo }) => accountNo);
  const text = search === undefined ? [] : [asciiLower(search), asciiLower(search), accountNos];
  return [...filterValues(filter), ...text];
}

/** The clause, and the number of the next free placeholder. */
function stretchClause(
  { contains, isOneOf }: Dialect,
  filter: Partial<ViewFilter>,
): { sql: string; next: number } {
  const conditions = ['e.guild_no = $1', `${POSITION} < ($2, $3, $4)`, `${POSITION} > ($5, $6, $7)`];
  let next = 8;
  const value = () => {
    next += 1;
    return `$${next - 1}`;
  };
  const columnOf: Parameters<typeof filterConditions>[1] = ({ column, isInTimeIndex }) =>
    `${isInTimeIndex ? 'e' : 't'}.${column}`;
  conditions.push(...filterConditions(filter, columnOf).map((condition) => condition(value())));
  if (filter.search !== undefined) {
    const found = [
      contains('lower(t.name)', value()),
      contains('lower(t.source)', value()),
      isOneOf('e.account_no', { value: value(), type: 'bigint' }),
    ];
    conditions.push(`(${found.join(' OR ')})`);
  }
  return { sql: conditions.join(' AND '), next };
}
