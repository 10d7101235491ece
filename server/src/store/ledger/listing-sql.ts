import type { OpenTimes } from '../../domain/ledger/ledger-views.ts';
import type { ListingQuery, SortKey, SortOrder, TransactionFilter } from '../../domain/model.ts';
import type { AccountKey } from './listed-account.ts';
import type { RowForm } from './row-form.ts';
import { filterConditions, filterNames, filterValues } from './transaction-filters.ts';

/** SQL fragments that differ between SQLite and PostgreSQL. */
export interface ListingDialect {
  readonly engine: 'sqlite' | 'postgres';
  /** The text for the n-th bound value, counted from 1. */
  placeholder: (position: number) => string;
  /** The parts of an account that a listing in this order reads. Its values are bound once for each of them. */
  parts: (sortBy: SortKey) => readonly AccountPart[];
}

/** A part of every account, with a hint for the index that has it in order, where the dialect takes hints. */
export interface AccountPart {
  /** A condition on its seqs, given the account's length. */
  bounds: (count: string) => string;
  indexHint: string;
}

export const WHOLE_ACCOUNT: AccountPart = { bounds: (count) => `seq <= ${count}`, indexHint: '' };

const SORT_COLUMNS: Record<SortKey, string> = {
  amount: 'amount',
  quantity: 'quantity',
  total: 'total',
  // Creation times never decrease along seq, so both orders are the same, and this one needs no index of its own.
  createdAt: 'seq',
};

/** The key of a prepared statement. At most 128 listings and 16 counts are ever prepared. */
export function listingShape(query: Omit<ListingQuery, 'page' | 'limit'>): string {
  return `${query.sortBy} ${query.sortOrder} ${filterShape(query)}`;
}

export type Filters = TransactionFilter & OpenTimes;

/** True when a range of time is given. It is read as a range of seqs, because times never decrease along seq. */
export function hasRange({ sinceMs, untilMs }: Partial<Pick<Filters, 'sinceMs' | 'untilMs'>>): boolean {
  return sinceMs !== undefined || untilMs !== undefined;
}

export function filterShape(filters: Filters): string {
  return `${filterNames(filters)}${hasRange(filters) ? ' range' : ''}`;
}

/**
 * One page in any order with any filters. Values: those of `accountValues` for each part of the account, then limit,
 * offset, guild and account.
 */
export function pageSql(dialect: ListingDialect, query: ListingQuery, form: RowForm): string {
  const filters = conditionsOf(query).length;
  const at = (offset: number) => dialect.placeholder(filters + offset);
  const matches = (part: AccountPart) => filterClause(dialect, query, part);
  const rows = `CAST(${at(1)} AS bigint) + CAST(${at(2)} AS bigint)`;
  const keys = `${keysSql(dialect, query, matches, rows)} LIMIT ${at(1)} OFFSET ${at(2)}`;
  return rowsSql(dialect, keys, { ...query, form, guild: at(3), account: at(4) });
}

type Sorting = Pick<ListingQuery, 'sortBy' | 'sortOrder'>;

/**
 * The keys of the rows that match, from the indexes alone: rows that a page skips are never fetched. `rows` is the
 * number of rows up to the end of the page. PostgreSQL merges two parts only if each is ordered and cut by itself;
 * otherwise it would read and sort both.
 */
function keysSql(
  { engine, parts }: ListingDialect,
  { sortBy, sortOrder }: Sorting,
  matches: (part: AccountPart) => string,
  rows: string,
): string {
  const read = parts(sortBy);
  const isCut = engine === 'postgres' && read.length > 1;
  const keys = read.map((part) => {
    const sql =
      `SELECT ${SORT_COLUMNS[sortBy]} AS sorted, seq AS page_seq FROM ledger_transaction ${part.indexHint} ` +
      `WHERE ${matches(part)}`;
    return isCut ? `(${sql} ${orderBy(order(sortBy), sortOrder)} LIMIT ${rows})` : sql;
  });
  return `${keys.join(' UNION ALL ')} ${orderBy(keyOrder(sortBy), sortOrder)}`;
}

/** The rows of these keys. The join is written so that neither planner reorders it or reads the whole account. */
function rowsSql(
  { engine }: ListingDialect,
  keys: string,
  { sortBy, sortOrder, form, guild, account }: Sorting & { form: RowForm; guild: string; account: string },
): string {
  const isRow = (row: string) =>
    `${row}.guild_no = ${guild} AND ${row}.account_no = ${account} AND ${row}.seq = page_seq`;
  const rows =
    engine === 'sqlite'
      ? 'ledger_transaction AS t'
      : `LATERAL (SELECT * FROM ledger_transaction AS one WHERE ${isRow('one')} OFFSET 0) AS t`;
  return (
    `SELECT ${form.columns} FROM (${keys}) AS page CROSS JOIN ${rows} ${form.joins} ` +
    `WHERE ${engine === 'sqlite' ? isRow('t') : 'true'} ${form.condition} ${orderBy(keyOrder(sortBy), sortOrder)}`
  );
}

/** How many rows match the filters. Values: those of `accountValues` for each part of the account in the counted order. */
export function countSql(dialect: ListingDialect, query: Filters): string {
  const [count = '', ...others] = dialect
    .parts(countedOrder(query))
    .map(
      (part) =>
        `SELECT count(*) AS "total" FROM ledger_transaction WHERE ${filterClause(dialect, query, part)}`,
    );
  return others.length === 0
    ? count
    : `SELECT CAST(sum("total") AS bigint) AS "total" FROM (${[count, ...others].join(' UNION ALL ')}) AS counts`;
}

/** The order in which rows are counted: an index by amount has the matching rows next to each other. */
export function countedOrder({ minUnits, maxUnits }: Filters): SortKey {
  return minUnits === undefined && maxUnits === undefined ? 'createdAt' : 'amount';
}

/**
 * A page of the unfiltered account by creation time. Seq has no gaps, so it is a key range: the last page costs as
 * much as the first. Values: guild, account, first seq, last seq.
 */
export function rangeSql(
  { placeholder: at }: Pick<ListingDialect, 'placeholder'>,
  sortOrder: SortOrder,
  form: RowForm,
): string {
  return (
    `SELECT ${form.columns} FROM ledger_transaction AS t ${form.joins} ` +
    `WHERE t.guild_no = ${at(1)} AND t.account_no = ${at(2)} ` +
    `AND t.seq BETWEEN ${at(3)} AND ${at(4)} ${form.condition} ${orderBy({ by: 't.seq' }, sortOrder)}`
  );
}

/**
 * The whole account in any order, for a reader that filters it: a filter here could skip any number of rows in one
 * step. Values: guild, account, the account's length, how many seqs to skip.
 */
export function accountSql(
  { placeholder: at }: Pick<ListingDialect, 'placeholder'>,
  { sortBy, sortOrder }: Sorting,
  form: RowForm,
): string {
  const { by, tie } = order(sortBy);
  return (
    `SELECT ${form.columns} FROM ledger_transaction AS t ${form.joins} ` +
    `WHERE t.guild_no = ${at(1)} AND t.account_no = ${at(2)} AND t.seq <= ${at(3)} AND t.seq > ${at(4)} ${form.condition} ` +
    orderBy(tie === undefined ? { by: `t.${by}` } : { by: `t.${by}`, tie: `t.${tie}` }, sortOrder)
  );
}

/**
 * A range of the account in any order, after a place of that order. Values for each part of the account: guild,
 * account, the account's length, how many seqs to skip, the place's value in the order's column, its seq; then limit,
 * guild and account.
 */
export function accountRangeSql(dialect: ListingDialect, query: Sorting, form: RowForm): string {
  const at = dialect.placeholder;
  const isBehind = `(${SORT_COLUMNS[query.sortBy]}, seq) ${query.sortOrder === 'asc' ? '>' : '<'} (${at(5)}, ${at(6)})`;
  const matches = ({ bounds }: AccountPart) =>
    `guild_no = ${at(1)} AND account_no = ${at(2)} AND ${bounds(at(3))} AND seq > ${at(4)} AND ${isBehind}`;
  const keys = `${keysSql(dialect, query, matches, at(7))} LIMIT ${at(7)}`;
  return rowsSql(dialect, keys, { ...query, form, guild: at(8), account: at(9) });
}

/** The place before all others in an order. */
export function rangeStart(sortOrder: SortOrder): { value: number; seq: number } {
  const value = sortOrder === 'asc' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return { value, seq: value };
}

/** A row's value in the column of the order. */
export function sortValue(
  row: { seq: number; amountUnits: number; quantity: number; totalUnits: number },
  sortBy: SortKey,
): number {
  return { amount: row.amountUnits, quantity: row.quantity, total: row.totalUnits, createdAt: row.seq }[
    sortBy
  ];
}

export function accountValues(account: AccountKey, filters: Filters): (number | string)[] {
  const range = hasRange(filters) ? [account.skipped ?? 0] : [];
  return [account.guildNo, account.accountNo, account.count, ...filterValues(filters), ...range];
}

function filterClause({ placeholder }: ListingDialect, query: Filters, part: AccountPart): string {
  const conditions = conditionsOf(query).map((condition, index) => condition(placeholder(index + 1), part));
  return conditions.join(' AND ');
}

type Condition = (value: string, part: AccountPart) => string;

/** One condition for each value of `accountValues`. */
function conditionsOf(query: Filters): Condition[] {
  return [
    (value) => `guild_no = ${value}`,
    (value) => `account_no = ${value}`,
    (value, { bounds }) => bounds(value),
    ...filterConditions(query, ({ column }) => column),
    ...(hasRange(query) ? [(value: string) => `seq > ${value}`] : []),
  ];
}

interface Order {
  by: string;
  tie?: string;
}

/** Every order ends in seq, which makes it total: pages never overlap or skip. */
function order(sortBy: SortKey): Order {
  const column = SORT_COLUMNS[sortBy];
  return column === 'seq' ? { by: 'seq' } : { by: column, tie: 'seq' };
}

/** The same order with the column names of `keysSql`. */
function keyOrder(sortBy: SortKey): Order {
  return SORT_COLUMNS[sortBy] === 'seq' ? { by: 'page_seq' } : { by: 'sorted', tie: 'page_seq' };
}

function orderBy({ by, tie }: Order, sortOrder: SortOrder): string {
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  return `ORDER BY ${by} ${direction}${tie === undefined ? '' : `, ${tie} ${direction}`}`;
}
