import type { LedgerTransaction, Pagination } from './schema.ts';

/** One page of a player's transactions. */
export interface TransactionPage {
  transactions: LedgerTransaction[];
  pagination: Pagination;
}

/**
 * How many of the last ids are remembered. A post that arrives while somebody turns pages moves the rows after it,
 * so that the next page begins with rows that were there before; rows are never removed, so none is skipped. Only
 * when more than this many arrive between two pages could a row come twice.
 */
const REMEMBERED_IDS_MAX = 10_000;

/** Every transaction of all pages, each one once. The next page is asked for when the last one is used up. */
export async function* walkPages(
  readPage: (page: number) => Promise<TransactionPage>,
): AsyncGenerator<LedgerTransaction, void, undefined> {
  const seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { transactions, pagination } = await readPage(page);
    for (const transaction of transactions) {
      if (!seen.has(transaction.transactionId)) {
        remember(seen, transaction.transactionId);
        yield transaction;
      }
    }
    if (page >= pagination.totalPages) {
      return;
    }
  }
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > REMEMBERED_IDS_MAX && oldest !== undefined) {
    seen.delete(oldest);
  }
}
