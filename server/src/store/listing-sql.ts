import type { AccountListing } from '../domain/ledger/ledger-views.ts';
import type { ListingQuery, SortKey, SortOrder } from '../domain/model.ts';

/** How a dialect writes what the two do not share. */
export interface ListingDialect {
  /** The text for the n-th bound value, counted from 1. */
  placeholder: (position: number) => string;
  /** Names the index that serves an order, where the dialect can be told. */
  indexHint: (sortBy: SortKey) => string;
}

export interface AccountKey {
  guildNo: number;
  accountNo: number;
  /** The account's length when the listing began. Rows beyond it came later and are left out, so total and page agree. */
  count: number;
  /** How many come before the first one of a range of time; its last one is then `count`. */
  skipped?: number;
}

/** How many transactions of an account a listing is about. */
export function lengthOf({ count, skipped = 0 }: AccountKey): number {
  return count - skipped;
}

const SORT_COLUMNS: Record<SortKey, string> = {
  amount: 'amount',
  quantity: 'quantity',
  total: 'total',
  // Creation times never decrease along seq, so both orders are one, and this one needs no index of its own.
  createdAt: 'seq',
};

/** What is read of each transaction `t`. */
export interface RowForm {
  columns: string;
  /** The other tables it takes, and how they belong to `t`. */
  joins: string;
  condition: string;
}

/** As the interface lists it. */
export const LISTED: RowForm = {
  columns:
    't.transaction_id AS "transactionId", t.amount AS "amountUnits", t.quantity, t.name, t.source, ' +
    't.total AS "totalUnits", t.created_at AS "createdAtMs"',
  joins: '',
  condition: '',
};

/**
 * With everything known of it. A game account has one verified holder; should there ever be two, the index decides. `guild`
 * is what the guild's number is compared with: a value that names it keeps the statement on one machine, where tables
 * are distributed.
 */
export function detailedForm(guild: string): RowForm {
  // What only some transactions have, looked up for the rows that are shown and no others.
  const beside = (column: string) =>
    `(SELECT x.${column} FROM ledger_extra AS x WHERE x.guild_no = ${guild} AND x.number = t.number)`;
  return {
    columns:
      `${LISTED.columns}, t.account_no AS "accountNo", t.seq, t.balance_after AS "balanceUnits", ` +
      'a.player_id AS "playerId", (SELECT v.username FROM verification AS v WHERE v.player_id = a.player_id ' +
      'ORDER BY v.chat_id DESC LIMIT 1) AS username, ' +
      'k.key_id AS "keyId", k.name AS "keyName", k.prefix AS "keyPrefix", ' +
      't.posted_by AS "postedByChatId", u.name AS "postedByName", t.number, ' +
      `${beside('reference')} AS reference, ${beside('metadata')} AS metadata, ` +
      `${beside('payment_id')} AS "paymentId", (SELECT o.transaction_id FROM ledger_transaction AS o ` +
      `WHERE o.guild_no = ${guild} AND o.number = ${beside('reverses')}) AS reverses, ` +
      `(SELECT r.transaction_id FROM ledger_transaction AS r WHERE r.guild_no = ${guild} AND r.number = ` +
      `(SELECT y.number FROM ledger_extra AS y WHERE y.guild_no = ${guild} AND y.reverses = t.number)) ` +
      'AS "reversedBy"',
    joins:
      'CROSS JOIN account AS a LEFT JOIN api_key AS k ON k.key_no = t.key_no ' +
      'LEFT JOIN chat_user AS u ON u.chat_id = t.posted_by',
    condition: `AND a.guild_no = ${guild} AND a.account_no = t.account_no`,
  };
}

/** For a dialect that cannot name a value twice. */
export const DETAILED = detailedForm('t.guild_no');

/** Names one of the closed set of statements: at most 128 listings and 16 counts are ever prepared. */
export function listingShape(query: Omit<ListingQuery, 'page' | 'limit'>): string {
  return `${query.sortBy} ${query.sortOrder} ${filterShape(query)}`;
}

export type Filters = Pick<AccountListing, 'minUnits' | 'maxUnits' | 'source' | 'sinceMs' | 'untilMs'>;

/** Whether a listing is about a range of time, which is one of seqs: times never decrease along them. */
export function hasRange({ sinceMs, untilMs }: Filters): boolean {
  return sinceMs !== undefined || untilMs !== undefined;
}

export function filterShape(filters: Filters): string {
  const { minUnits, maxUnits, source } = filters;
  return [
    minUnits !== undefined && 'min',
    maxUnits !== undefined && 'max',
    source !== undefined && 'source',
    hasRange(filters) && 'range',
  ]
    .filter(Boolean)
    .join(' ');
}

export function hasFilters(filters: Filters): boolean {
  return filters.minUnits !== undefined || filters.maxUnits !== undefined || filters.source !== undefined;
}

/**
 * One page in any order under any filters. Values: those of `filterValues`, then limit, offset, guild and account. The
 * page's keys come first, from the index alone, and only then its rows: skipped rows are never fetched. The join is
 * written so that neither planner turns it round.
 */
export function pageSql(dialect: ListingDialect, query: ListingQuery, form: RowForm): string {
  const filter = filterClause(dialect, query);
  const at = (offset: number) => dialect.placeholder(filter.values + offset);
  const column = SORT_COLUMNS[query.sortBy];
  return (
    `SELECT ${form.columns} FROM (SELECT ${column} AS sorted, seq AS page_seq ` +
    `FROM ledger_transaction ${dialect.indexHint(query.sortBy)} ` +
    `WHERE ${filter.sql} ${orderBy(order(query.sortBy), query.sortOrder)} LIMIT ${at(1)} OFFSET ${at(2)}) AS page ` +
    `CROSS JOIN ledger_transaction AS t ${form.joins} ` +
    `WHERE t.guild_no = ${at(3)} AND t.account_no = ${at(4)} AND t.seq = page_seq ${form.condition} ` +
    orderBy(column === 'seq' ? { by: 'page_seq' } : { by: 'sorted', tie: 'page_seq' }, query.sortOrder)
  );
}

/** How many rows match the filters. Values: those of `filterValues`. */
export function countSql(dialect: ListingDialect, query: Filters): string {
  return `SELECT count(*) AS "total" FROM ledger_transaction WHERE ${filterClause(dialect, query).sql}`;
}

/**
 * A page of the unfiltered account by creation time. Dense seq makes it a key range: the last page costs what
 * the first one does. Values: guild, account, first seq, last seq.
 */
export function rangeSql(dialect: ListingDialect, sortOrder: SortOrder, form: RowForm): string {
  const at = dialect.placeholder;
  return (
    `SELECT ${form.columns} FROM ledger_transaction AS t ${form.joins} ` +
    `WHERE t.guild_no = ${at(1)} AND t.account_no = ${at(2)} ` +
    `AND t.seq BETWEEN ${at(3)} AND ${at(4)} ${form.condition} ${orderBy({ by: 't.seq' }, sortOrder)}`
  );
}

/**
 * The whole account in any order, for a reader that picks what it wants: a filter here could pass over any number of
 * rows in one step. Values: guild, account, the account's length, how many seqs to leave out.
 */
export function accountSql(
  dialect: ListingDialect,
  { sortBy, sortOrder }: Pick<ListingQuery, 'sortBy' | 'sortOrder'>,
  form: RowForm,
): string {
  const at = dialect.placeholder;
  const { by, tie } = order(sortBy);
  return (
    `SELECT ${form.columns} FROM ledger_transaction AS t ${dialect.indexHint(sortBy)} ${form.joins} ` +
    `WHERE t.guild_no = ${at(1)} AND t.account_no = ${at(2)} AND t.seq <= ${at(3)} AND t.seq > ${at(4)} ${form.condition} ` +
    orderBy(tie === undefined ? { by: `t.${by}` } : { by: `t.${by}`, tie: `t.${tie}` }, sortOrder)
  );
}

/**
 * A range of the account in any order, behind a place of that order. Values: guild, account, the account's length, the
 * place's value in the order's column, its seq, how many seqs to leave out, limit.
 */
export function accountRangeSql(
  dialect: ListingDialect,
  { sortBy, sortOrder }: Pick<ListingQuery, 'sortBy' | 'sortOrder'>,
  form: RowForm,
): string {
  const at = dialect.placeholder;
  const { by, tie = 'seq' } = order(sortBy);
  const isBehind = `(t.${by}, t.${tie}) ${sortOrder === 'asc' ? '>' : '<'} (${at(4)}, ${at(5)})`;
  return (
    `SELECT ${form.columns} FROM ledger_transaction AS t ${dialect.indexHint(sortBy)} ${form.joins} ` +
    `WHERE t.guild_no = ${at(1)} AND t.account_no = ${at(2)} AND t.seq <= ${at(3)} AND ${isBehind} ` +
    `AND t.seq > ${at(6)} ${form.condition} ${orderBy({ by: `t.${by}`, tie: `t.${tie}` }, sortOrder)} LIMIT ${at(7)}`
  );
}

/** The place before all others of an order. */
export function rangeStart(sortOrder: SortOrder): { value: number; seq: number } {
  const value = sortOrder === 'asc' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return { value, seq: value };
}

/** A row's value in the column that it is sorted by. */
export function sortValue(
  row: { seq: number; amountUnits: number; quantity: number; totalUnits: number },
  sortBy: SortKey,
): number {
  return { amount: row.amountUnits, quantity: row.quantity, total: row.totalUnits, createdAt: row.seq }[
    sortBy
  ];
}

/** The seq range of a page of an account with `count` rows; empty when the page lies past the end. */
export function seqRange(
  query: ListingQuery,
  { count, skipped = 0 }: Pick<AccountKey, 'count' | 'skipped'>,
): { first: number; last: number } {
  const passed = (query.page - 1) * query.limit;
  if (query.sortOrder === 'asc') {
    return { first: skipped + passed + 1, last: Math.min(skipped + passed + query.limit, count) };
  }
  return { first: Math.max(count - passed - query.limit + 1, skipped + 1), last: count - passed };
}

export function filterValues(account: AccountKey, filters: Filters): (number | string)[] {
  const range = hasRange(filters) ? [account.skipped ?? 0] : [];
  return [account.guildNo, account.accountNo, account.count, ...givenValues(filters), ...range];
}

/** The values of those filters that are set, but of times, in the order in which every statement asks for them. */
export function givenValues({ minUnits, maxUnits, source }: Filters): (number | string)[] {
  return [minUnits, maxUnits, source].filter((value) => value !== undefined);
}

function filterClause(dialect: ListingDialect, query: Filters): { sql: string; values: number } {
  const conditions = ['guild_no =', 'account_no =', 'seq <='];
  if (query.minUnits !== undefined) conditions.push('amount >=');
  if (query.maxUnits !== undefined) conditions.push('amount <=');
  if (query.source !== undefined) conditions.push('source =');
  if (hasRange(query)) conditions.push('seq >');
  const sql = conditions.map((condition, index) => `${condition} ${dialect.placeholder(index + 1)}`);
  return { sql: sql.join(' AND '), values: conditions.length };
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

function orderBy({ by, tie }: Order, sortOrder: SortOrder): string {
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  return `ORDER BY ${by} ${direction}${tie === undefined ? '' : `, ${tie} ${direction}`}`;
}
