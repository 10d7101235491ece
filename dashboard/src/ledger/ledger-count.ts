import { plural, t } from '@lingui/core/macro';
import type { TransactionSums } from '../api/transactions.ts';

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
  if (count === undefined) return isNarrowed ? t`Matching transactions` : t`Transactions`;
  const isPart = !isListed && sums?.searchedTo !== null;
  if (isNarrowed) {
    return isPart
      ? plural(count, { one: 'At least # transaction found', other: 'At least # transactions found' })
      : plural(count, { one: '# transaction found', other: '# transactions found' });
  }
  return isPart
    ? plural(count, { one: 'At least # transaction', other: 'At least # transactions' })
    : plural(count, { one: '# transaction', other: '# transactions' });
}
