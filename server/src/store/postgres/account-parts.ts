import { type AccountPart, type ListingDialect, WHOLE_ACCOUNT } from '../ledger/listing-sql.ts';
import { NO_HINTS } from './statement.ts';

/**
 * This many first rows of each account are not in the indexes on amount, quantity and total; the query sorts them.
 * schema/2-ledger.sql has the same number.
 */
const UNINDEXED_ROWS = 100;

const UNINDEXED: AccountPart = {
  bounds: (count) => `seq <= least(CAST(${count} AS bigint), ${UNINDEXED_ROWS})`,
  indexHint: '',
};
/**
 * With `seq + 0` the primary key does not serve these conditions. Its entries are in another order, and the statistics
 * take every account for so short that sorting costs nothing. The last condition has no column: the index is not
 * read at all when the account is short.
 */
const INDEXED: AccountPart = {
  bounds: (count) =>
    `seq + 0 <= CAST(${count} AS bigint) AND seq + 0 > ${UNINDEXED_ROWS} AND CAST(${count} AS bigint) > ${UNINDEXED_ROWS}`,
  indexHint: '',
};

export const DIALECT: ListingDialect = {
  engine: 'postgres',
  ...NO_HINTS,
  parts: (sortBy) => (sortBy === 'createdAt' ? [WHOLE_ACCOUNT] : [UNINDEXED, INDEXED]),
};
