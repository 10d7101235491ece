import type { ListingQuery } from '../../domain/model.ts';
import {
  type AccountKey,
  countSql,
  filterShape,
  filterValues,
  hasFilters,
  listingShape,
  pageSql,
  type RowForm,
  rangeSql,
  seqRange,
} from '../listing-sql.ts';
import { NO_HINTS, prepare, prepareOnDemand, type Runner } from './statement.ts';

interface Page<Row> {
  transactions: Row[];
  total: number;
}

export const FIND_ACCOUNT = prepare<{ accountNo: number; count: number }>(
  `SELECT account_no AS "accountNo", transaction_count AS count FROM account WHERE guild_no = $1 AND player_id = $2`,
);

/** Lists accounts page by page, each transaction in the given form. */
export function createListing<Row>(read: Runner, form: RowForm) {
  const ranges = {
    asc: prepare<Row>(rangeSql(NO_HINTS, 'asc', form)),
    desc: prepare<Row>(rangeSql(NO_HINTS, 'desc', form)),
  };
  const pages = prepareOnDemand<Row>();
  const counts = prepareOnDemand<{ total: number }>();

  async function listFiltered(account: AccountKey, query: ListingQuery): Promise<Page<Row>> {
    const values = filterValues(account, query);
    const counting = counts(filterShape(query), () => countSql(NO_HINTS, query));
    const total = hasFilters(query) ? ((await read.first(counting, values))?.total ?? 0) : account.count;
    const offset = (query.page - 1) * query.limit;
    if (offset >= total) {
      return { transactions: [], total };
    }
    const page = pages(listingShape(query), () => pageSql(NO_HINTS, query, form));
    const pageValues = [...values, query.limit, offset, account.guildNo, account.accountNo];
    return { transactions: await read.all(page, pageValues), total };
  }

  return async (guildNo: number, playerId: string, query: ListingQuery): Promise<Page<Row>> => {
    const found = await read.first(FIND_ACCOUNT, [guildNo, playerId]);
    if (found === undefined) {
      return { transactions: [], total: 0 };
    }
    const account = { guildNo, ...found };
    if (query.sortBy !== 'createdAt' || hasFilters(query)) {
      return listFiltered(account, query);
    }
    const { first, last } = seqRange(query, account.count);
    const transactions =
      first > last ? [] : await read.all(ranges[query.sortOrder], [guildNo, account.accountNo, first, last]);
    return { transactions, total: account.count };
  };
}
