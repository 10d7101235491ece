import { type Cache, createCache } from '../../domain/cache.ts';
import type { ListingQuery } from '../../domain/model.ts';
import type { AccountKey } from './listed-account.ts';
import { filterKey } from './transaction-filters.ts';

/** Transactions on cached pages. The cache holds two generations of this size at most: about five megabytes. */
const KEPT_TRANSACTIONS_MAX = 6_000;

export interface Page<Row> {
  transactions: Row[];
  total: number;
}

/** A page as of the time when its account had `count` transactions, `skipped` of them archived. */
export interface KeptPage<Row> {
  count: number;
  skipped: number;
  page: Page<Row>;
}

/**
 * Caches pages by account and query. A page is valid while its account has not grown and no more of it was archived. Only for
 * forms that show the transactions alone, without columns of other tables.
 */
export function createPageCache<Row>(): Cache<KeptPage<Row>> {
  return createCache(KEPT_TRANSACTIONS_MAX);
}

/** The cached page of an account, if it is still valid. */
export function findPage<Row>(
  cache: Cache<KeptPage<Row>>,
  key: string,
  { count, skipped = 0 }: AccountKey,
): Page<Row> | undefined {
  const kept = cache.get(key);
  return kept?.count === count && kept.skipped === skipped ? kept.page : undefined;
}

export function keepPage<Row>(
  cache: Cache<KeptPage<Row>>,
  key: string,
  { count, skipped = 0 }: AccountKey,
  page: Page<Row>,
): void {
  cache.set(key, { count, skipped, page }, 1 + page.transactions.length);
}

export function pageKey({ guildNo, accountNo }: AccountKey, query: ListingQuery): string {
  const { page, limit, sortBy, sortOrder } = query;
  return `${guildNo} ${accountNo} ${page} ${limit} ${sortBy} ${sortOrder}${filterKey(query)}`;
}
