import type { SortKey } from '../../domain/model.ts';
import { type AccountPart, type ListingDialect, WHOLE_ACCOUNT } from '../ledger/listing-sql.ts';

/**
 * This many first rows of each account are not in the indexes on amount, quantity and total; the query sorts them.
 * Most accounts have no more rows, so most posts write to none of the three. schema/2-ledger.sql has the same number.
 */
const UNINDEXED_ROWS = 100;
// Both bounds in one `min`: given two conditions, SQLite might use the one on the account's length, and read the whole
// account.
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

export const DIALECT: ListingDialect = {
  engine: 'sqlite',
  placeholder: () => '?',
  parts: (sortBy) => PARTS[sortBy],
};

/** Names the index, because without statistics the planner may prefer to read and sort the whole account. */
function indexed(sortBy: SortKey): AccountPart {
  return {
    bounds: (count) => `seq <= ${count} AND seq > ${UNINDEXED_ROWS}`,
    indexHint: `INDEXED BY ledger_by_${sortBy}`,
  };
}

/** The values of a listing, repeated for each part that its order reads. */
export function forEachPart(sortBy: SortKey, values: readonly (number | string)[]): (number | string)[] {
  return PARTS[sortBy].flatMap(() => values);
}
