import type { ListingQuery } from '../../domain/model.ts';

/** An account as a listing reads it. */
export interface AccountKey {
  guildNo: number;
  accountNo: number;
  /** The account's length when the listing began. Rows beyond it came later and are left out, so total and page agree. */
  count: number;
  /**
   * The number of transactions before those that are listed: archived ones, and those before a range of time. `count` is
   * then the seq of the last one that is listed.
   */
  skipped?: number;
}

/** The number of transactions of an account that a listing covers. */
export function lengthOf({ count, skipped = 0 }: AccountKey): number {
  return count - skipped;
}

/** The seq range of a page of an account with `count` rows; empty when the page is past the end. */
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
