import type { ListHistoryQuery, ListTransactionsQuery } from './schema.ts';

/** Transactions have a field `source`, but the filter by it is called `from`. This makes the mix-up an error of the compiler. */
export interface WithoutSource {
  /** The filter by source is called `from`. */
  source?: never;
}

export type TransactionsQuery = ListTransactionsQuery & WithoutSource;
/** Which transactions to walk through; the pages are seen to. A `limit` is the size of one page. */
export type WalkQuery = Omit<ListTransactionsQuery, 'page'> & WithoutSource;

export type HistoryQuery = ListHistoryQuery & WithoutSource;
/** The same for the guild's history; the cursors are seen to. */
export type WalkHistoryQuery = Omit<ListHistoryQuery, 'cursor'> & WithoutSource;
