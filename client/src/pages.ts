import type { LedgerTransaction, Pagination } from './schema.ts';

/** One page of a player's transactions. */
export interface TransactionPage {
  transactions: LedgerTransaction[];
  pagination: Pagination;
}

/**
 * The number of ids that are remembered. A post that arrives between two pages moves the later rows, so that the next
 * page starts with rows of the page before. Rows are never removed, so none is skipped. Only when more posts than
 * this arrive between two pages could a row be returned twice.
 */
const REMEMBERED_IDS_MAX = 10_000;

/** Every transaction of all pages, each once. The next page is requested when the last one is used up. */
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
