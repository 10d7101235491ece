import type { ListHistoryQuery, ListTransactionsQuery } from './schema.ts';

/**
 * Transactions have a field `source`, but the filter by it is called `from`. This type makes confusing them a compile
 * error.
 */
export interface WithoutSource {
  /** The filter by source is called `from`. */
  source?: never;
}

export type TransactionsQuery = ListTransactionsQuery & WithoutSource;
/** Filters for walking through transactions; pages are handled by the client. `limit` is the size of one page. */
export type WalkQuery = Omit<ListTransactionsQuery, 'page'> & WithoutSource;

export type HistoryQuery = ListHistoryQuery & WithoutSource;
/** The same for the guild's history; cursors are handled by the client. */
export type WalkHistoryQuery = Omit<ListHistoryQuery, 'cursor'> & WithoutSource;
