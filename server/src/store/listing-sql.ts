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
}

const SORT_COLUMNS: Record<SortKey, string> = {
  amount: 'amount',
  quantity: 'quantity',
  total: 'total',
  // Creation times never decrease along seq, so both orders are one, and this one needs no index of its own.
  createdAt: 'seq',
};

const COLUMNS =
  'transaction_id AS "transactionId", amount AS "amountUnits", quantity, name, source, ' +
  'total AS "totalUnits", created_at AS "createdAtMs"';

/** Names one of the closed set of statements: at most 64 listings and 8 counts are ever prepared. */
export function listingShape(query: ListingQuery): string {
  return `${query.sortBy} ${query.sortOrder} ${filterShape(query)}`;
}

export function filterShape(query: ListingQuery): string {
  const { minUnits, maxUnits, source } = query;
  return [minUnits !== undefined && 'min', maxUnits !== undefined && 'max', source !== undefined && 'source']
    .filter(Boolean)
    .join(' ');
}

export function hasFilters(query: ListingQuery): boolean {
  return query.minUnits !== undefined || query.maxUnits !== undefined || query.source !== undefined;
}

/**
 * One page in any order under any filters. Values: those of `filterValues`, then limit, offset, guild and account. The
 * page's keys come first, from the index alone, and only then its rows: skipped rows are never fetched. The join is
 * written so that neither planner turns it round.
 */
export function pageSql(dialect: ListingDialect, query: ListingQuery): string {
  const filter = filterClause(dialect, query);
  const at = (offset: number) => dialect.placeholder(filter.values + offset);
  const column = SORT_COLUMNS[query.sortBy];
  return (
    `SELECT ${COLUMNS} FROM (SELECT ${column} AS sorted, seq AS page_seq ` +
    `FROM ledger_transaction ${dialect.indexHint(query.sortBy)} ` +
    `WHERE ${filter.sql} ${orderBy(order(query.sortBy), query.sortOrder)} LIMIT ${at(1)} OFFSET ${at(2)}) AS page ` +
    `CROSS JOIN ledger_transaction AS t ` +
    `WHERE t.guild_no = ${at(3)} AND t.account_no = ${at(4)} AND t.seq = page_seq ` +
    orderBy(column === 'seq' ? { by: 'page_seq' } : { by: 'sorted', tie: 'page_seq' }, query.sortOrder)
  );
}

/** How many rows match the filters. Values: those of `filterValues`. */
export function countSql(dialect: ListingDialect, query: ListingQuery): string {
  return `SELECT count(*) AS "total" FROM ledger_transaction WHERE ${filterClause(dialect, query).sql}`;
}

/**
 * A page of the unfiltered account by creation time. Dense seq makes it a key range: the last page costs what
 * the first one does. Values: guild, account, first seq, last seq.
 */
export function rangeSql(dialect: ListingDialect, sortOrder: SortOrder): string {
  const at = dialect.placeholder;
  return (
    `SELECT ${COLUMNS} FROM ledger_transaction WHERE guild_no = ${at(1)} AND account_no = ${at(2)} ` +
    `AND seq BETWEEN ${at(3)} AND ${at(4)} ${orderBy(order('createdAt'), sortOrder)}`
  );
}

/** The seq range of a page of an account with `count` rows; empty when the page lies past the end. */
export function seqRange(query: ListingQuery, count: number): { first: number; last: number } {
  const skipped = (query.page - 1) * query.limit;
  if (query.sortOrder === 'asc') {
    return { first: skipped + 1, last: Math.min(skipped + query.limit, count) };
  }
  return { first: Math.max(count - skipped - query.limit + 1, 1), last: count - skipped };
}

export function filterValues(account: AccountKey, query: ListingQuery): (number | string)[] {
  const values: (number | string)[] = [account.guildNo, account.accountNo, account.count];
  for (const value of [query.minUnits, query.maxUnits, query.source]) {
    if (value !== undefined) {
      values.push(value);
    }
  }
  return values;
}

function filterClause(dialect: ListingDialect, query: ListingQuery): { sql: string; values: number } {
  const conditions = ['guild_no =', 'account_no =', 'seq <='];
  if (query.minUnits !== undefined) conditions.push('amount >=');
  if (query.maxUnits !== undefined) conditions.push('amount <=');
  if (query.source !== undefined) conditions.push('source =');
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
