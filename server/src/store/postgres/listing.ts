import type { Cache } from '../../domain/cache.ts';
import type { ListedTransaction, ListingQuery } from '../../domain/model.ts';
import {
  type AccountKey,
  countSql,
  filterShape,
  filterValues,
  hasFilters,
  LISTED,
  listingShape,
  pageSql,
  type RowForm,
  rangeSql,
  seqRange,
} from '../listing-sql.ts';
import { createPageCache, type KeptPage, keepPage, type Page, pageKey } from '../page-cache.ts';
import type { AccountMark, Marks } from './marks.ts';
import { NO_HINTS, prepare, prepareOnDemand, type Runner, type Statement } from './statement.ts';

export const FIND_ACCOUNT = prepare<{ accountNo: number; count: number }>(
  `SELECT account_no AS "accountNo", transaction_count AS count FROM account WHERE guild_no = $1 AND player_id = $2`,
);

type FindAccount = (guildNo: number, playerId: string) => Promise<AccountMark | undefined>;

interface ListingParts<Row> {
  read: Runner;
  form: RowForm;
  findAccount: FindAccount;
  cache?: Cache<KeptPage<Row>>;
  /** Runs a statement of the form. */
  fetch: (sql: string) => (values: readonly (string | number)[]) => Promise<Row[]>;
}

/** As the interface lists them: with pages in memory, valid while their account has not grown. */
export function createCachedListing(read: Runner, marks: Marks) {
  return createListing<ListedTransaction>({
    read,
    form: LISTED,
    findAccount: marks.ofAccount,
    cache: createPageCache(),
    fetch(sql) {
      // One value instead of seven for each row: the driver takes its time for every single one.
      const statement = prepare<{ rows: ListedTransaction[] | null }>(
        `SELECT json_agg(listed) AS rows FROM (${sql}) AS listed`,
      );
      return async (values) => ((await read.first(statement, values))?.rows ?? []).map(toExact);
    },
  });
}

function toExact(row: ListedTransaction): ListedTransaction {
  const { amountUnits, quantity, totalUnits } = row;
  if (![amountUnits, quantity, totalUnits].every(Number.isSafeInteger)) {
    throw new Error('the store gave a transaction that numbers do not hold exactly');
  }
  return row;
}

/** With rows of any form, not cached. */
export function createPlainListing<Row>(read: Runner, form: RowForm) {
  return createListing<Row>({
    read,
    form,
    findAccount: (guildNo, playerId) => read.first(FIND_ACCOUNT, [guildNo, playerId]),
    fetch(sql) {
      const statement: Statement<Row> = prepare(sql);
      return (values) => read.all(statement, values);
    },
  });
}

/** Lists accounts page by page, each transaction in the given form. */
function createListing<Row>({ read, form, findAccount, cache, fetch }: ListingParts<Row>) {
  const ranges = {
    asc: fetch(rangeSql(NO_HINTS, 'asc', form)),
    desc: fetch(rangeSql(NO_HINTS, 'desc', form)),
  };
  const pages = new Map<string, ReturnType<typeof fetch>>();
  const counts = prepareOnDemand<{ total: number }>();

  function fetchPage(query: ListingQuery): ReturnType<typeof fetch> {
    const shape = listingShape(query);
    const page = pages.get(shape) ?? fetch(pageSql(NO_HINTS, query, form));
    pages.set(shape, page);
    return page;
  }

  async function listFiltered(account: AccountKey, query: ListingQuery): Promise<Page<Row>> {
    const values = filterValues(account, query);
    const counting = counts(filterShape(query), () => countSql(NO_HINTS, query));
    const total = hasFilters(query) ? ((await read.first(counting, values))?.total ?? 0) : account.count;
    const offset = (query.page - 1) * query.limit;
    if (offset >= total) {
      return { transactions: [], total };
    }
    const pageValues = [...values, query.limit, offset, account.guildNo, account.accountNo];
    return { transactions: await fetchPage(query)(pageValues), total };
  }

  async function readPage(account: AccountKey, query: ListingQuery): Promise<Page<Row>> {
    if (query.sortBy !== 'createdAt' || hasFilters(query)) {
      return listFiltered(account, query);
    }
    const { guildNo, accountNo, count } = account;
    const { first, last } = seqRange(query, count);
    const transactions = first > last ? [] : await ranges[query.sortOrder]([guildNo, accountNo, first, last]);
    return { transactions, total: count };
  }

  return async (guildNo: number, playerId: string, query: ListingQuery): Promise<Page<Row>> => {
    const found = await findAccount(guildNo, playerId);
    if (found === undefined) {
      return { transactions: [], total: 0 };
    }
    const account = { guildNo, ...found };
    if (cache === undefined) {
      return readPage(account, query);
    }
    const key = pageKey(account, query);
    const kept = cache.get(key);
    if (kept?.count === account.count) {
      return kept.page;
    }
    const page = await readPage(account, query);
    keepPage(cache, key, account, page);
    return page;
  };
}
