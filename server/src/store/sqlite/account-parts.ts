import type { SortKey } from '../../domain/model.ts';
import { type AccountPart, type ListingDialect, WHOLE_ACCOUNT } from '../ledger/listing-sql.ts';

/**
 * So many first rows of each account are not in the indexes by amount, quantity and total, and are sorted by the query. Most
 * accounts have no more rows, so that most posts write to none of the three. Migration 0015 has the same number.
 */
const UNINDEXED_ROWS = 100;
// One upper bound: with two, SQLite might search by the account's length and read all of it.
const UNINDEXED: AccountPart = {
  bounds: (count) => `seq <= min(${count}, ${UNINDEXED_ROWS})`,
  indexHint: '',
};

const PARTS: Record<SortKey, readonly AccountPart[]> = {
  amount: [UNINDEXED, indexed('amount')],
  quantity: [UNINDEXED, indexed('quantity')],
  total: [UNINDEXED, indexed('total')],
  createdAt: [WHOLE_ACCOUNT],
};

export const DIALECT: ListingDialect = { placeholder: () => '?', parts: (sortBy) => PARTS[sortBy] };

/** The index is named, because without statistics the planner may prefer to read and sort the whole account. */
function indexed(sortBy: SortKey): AccountPart {
  return {
    bounds: (count) => `seq <= ${count} AND seq > ${UNINDEXED_ROWS}`,
    indexHint: `INDEXED BY ledger_by_${sortBy}`,
  };
}

/** The values of a listing, repeated for each part that its order is read from. */
export function forEachPart(sortBy: SortKey, values: readonly (number | string)[]): (number | string)[] {
  return PARTS[sortBy].flatMap(() => values);
}
