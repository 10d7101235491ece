import type { TransactionSums } from '../api/transactions.ts';
import { groupCount } from '../components/money.ts';

export interface Counted {
  /** Undefined until they are loaded. */
  sums: TransactionSums | undefined;
  /** The number of transactions, where the list knows it already. */
  total: number | null | undefined;
  isNarrowed: boolean;
}

/** The number of transactions, as far as the service has counted. */
export function countText({ sums, total, isNarrowed }: Counted): string {
  const isListed = total !== null && total !== undefined;
  const count = isListed ? total : sums && sums.depositCount + sums.withdrawalCount;
  if (count === undefined) return isNarrowed ? 'Matching transactions' : 'Transactions';
  const isPart = !isListed && sums?.searchedTo !== null;
  const text = `${isPart ? 'At least ' : ''}${groupCount(count)} ${count === 1 ? 'transaction' : 'transactions'}`;
  return isNarrowed ? `${text} found` : text;
}
