import type { SortKey } from '../../domain/model.ts';
import { type AccountPart, type ListingDialect, WHOLE_ACCOUNT } from '../listing-sql.ts';

/**
 * Indexes by amount, quantity and total have only the rows of an account behind these first ones: most accounts have no
 * more, and a post to them keeps no such index. Migration 0015 names the same number.
 */
const SORTED_BY_HAND = 100;
const SORTED: AccountPart = { bounds: (count) => `seq <= min(${count}, ${SORTED_BY_HAND})`, indexHint: '' };

const PARTS: Record<SortKey, readonly AccountPart[]> = {
  amount: [SORTED, indexed('amount')],
  quantity: [SORTED, indexed('quantity')],
  total: [SORTED, indexed('total')],
  createdAt: [WHOLE_ACCOUNT],
};

export const DIALECT: ListingDialect = { placeholder: () => '?', parts: (sortBy) => PARTS[sortBy] };

/** Named outright, because without statistics the planner may prefer sorting a whole account by hand. */
function indexed(sortBy: SortKey): AccountPart {
  return {
    bounds: (count) => `seq <= ${count} AND seq > ${SORTED_BY_HAND}`,
    indexHint: `INDEXED BY ledger_by_${sortBy}`,
  };
}

/** Values of an account's listing in an order, as often as they are bound. */
export function forEachPart(sortBy: SortKey, values: readonly (number | string)[]): (number | string)[] {
  return PARTS[sortBy].flatMap(() => values);
}
