import type { Cache } from '../../domain/cache.ts';
import type { AccountListing } from '../../domain/ledger/ledger-views.ts';
import type { ListedTransaction } from '../../domain/model.ts';
import { FIND_ACCOUNT } from '../ledger/ledger-views.ts';
import { type AccountKey, lengthOf, seqRange } from '../ledger/listed-account.ts';
import {
  accountValues,
  countSql,
  filterShape,
  hasRange,
  listingShape,
  pageSql,
  rangeSql,
} from '../ledger/listing-sql.ts';
import {
  createPageCache,
  findPage,
  type KeptPage,
  keepPage,
  type Page,
  pageKey,
} from '../ledger/page-cache.ts';
import { LISTED, type RowForm } from '../ledger/row-form.ts';
import { hasFilters } from '../ledger/transaction-filters.ts';
import { DIALECT } from './account-parts.ts';
import type { AccountMark, Marks } from './marks.ts';
import { prepare, prepareOnDemand, type Runner, type Statement } from './statement.ts';

const FIND_SPAN = prepare<{ first: number; behind: number }>(
  `SELECT first_not_before($1, $2, $3, $4) AS first, first_not_before($1, $2, $3, $5) AS behind`,
);

/** The part of an account that lies within a range of time. */
export async function findSpan(
  read: Runner,
  account: AccountKey,
  {
    sinceMs = Number.MIN_SAFE_INTEGER,
    untilMs = Number.MAX_SAFE_INTEGER,
  }: Pick<AccountListing, 'sinceMs' | 'untilMs'>,
): Promise<AccountKey> {
  const { guildNo, accountNo, count } = account;
  const span = await read.first(FIND_SPAN, [guildNo, accountNo, count, sinceMs, untilMs]);
  return span === undefined ? account : { ...account, skipped: span.first - 1, count: span.behind - 1 };
}

type FindAccount = (guildNo: number, playerId: string) => Promise<AccountMark | undefined>;

/** The two runners of `Reads`. */
interface ListingReads {
  read: Runner;
  readLong: Runner;
}

/** Filtering or sorting more transactions than this is a long read. */
const ROWS_MAX = 100_000;

interface ListingParts<Row> extends ListingReads {
  form: RowForm;
  findAccount: FindAccount;
  cache?: Cache<KeptPage<Row>>;
  /** Prepares a statement that returns rows of the form. */
  fetch: (sql: string) => (runner: Runner, values: readonly (string | number)[]) => Promise<Row[]>;
}

/**
 * Lists transactions as the interface shows them. Caches pages, which are valid while their account has not grown.
 */
export function createCachedListing({ read, readLong }: ListingReads, marks: Marks) {
  return createListing<ListedTransaction>({
    read,
    readLong,
    form: LISTED,
    findAccount: marks.ofAccount,
    cache: createPageCache(),
    fetch(sql) {
      // One value instead of seven for each row, because the driver spends time on every single value.
      const statement = prepare<{ rows: ListedTransaction[] | null }>(
        `SELECT json_agg(listed) AS rows FROM (${sql}) AS listed`,
      );
      return async (runner, values) => ((await runner.first(statement, values))?.rows ?? []).map(toExact);
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

/** Lists rows of any form, without a cache. */
export function createPlainListing<Row>({ read, readLong }: ListingReads, form: RowForm) {
  return createListing<Row>({
    read,
    readLong,
    form,
    findAccount: (guildNo, playerId) => read.first(FIND_ACCOUNT, [guildNo, playerId]),
    fetch(sql) {
      const statement: Statement<Row> = prepare(sql);
      return (runner, values) => runner.all(statement, values);
    },
  });
}

/** Lists accounts page by page, each transaction in the given form. */
function createListing<Row>({ read, readLong, form, findAccount, cache, fetch }: ListingParts<Row>) {
  const ranges = {
    asc: fetch(rangeSql(DIALECT, 'asc', form)),
    desc: fetch(rangeSql(DIALECT, 'desc', form)),
  };
  const pages = new Map<string, ReturnType<typeof fetch>>();
  const counts = prepareOnDemand<{ total: number }>();

  function fetchPage(query: AccountListing): ReturnType<typeof fetch> {
    const shape = listingShape(query);
    const page = pages.get(shape) ?? fetch(pageSql(DIALECT, query, form));
    pages.set(shape, page);
    return page;
  }

  async function listFiltered(account: AccountKey, query: AccountListing): Promise<Page<Row>> {
    const values = accountValues(account, query);
    const runner = lengthOf(account) > ROWS_MAX ? readLong : read;
    const counting = counts(filterShape(query), () => countSql(DIALECT, query));
    const total = hasFilters(query)
      ? ((await runner.first(counting, values))?.total ?? 0)
      : lengthOf(account);
    const offset = (query.page - 1) * query.limit;
    if (offset >= total) {
      return { transactions: [], total };
    }
    const pageValues = [...values, query.limit, offset, account.guildNo, account.accountNo];
    return { transactions: await fetchPage(query)(runner, pageValues), total };
  }

  async function readPage(account: AccountKey, query: AccountListing): Promise<Page<Row>> {
    if (query.sortBy !== 'createdAt' || hasFilters(query)) {
      return listFiltered(account, query);
    }
    const { guildNo, accountNo } = account;
    const { first, last } = seqRange(query, account);
    const transactions =
      first > last ? [] : await ranges[query.sortOrder](read, [guildNo, accountNo, first, last]);
    return { transactions, total: lengthOf(account) };
  }

  return async (guildNo: number, playerId: string, query: AccountListing): Promise<Page<Row>> => {
    const found = await findAccount(guildNo, playerId);
    if (found === undefined) {
      return { transactions: [], total: 0 };
    }
    const whole = { guildNo, ...found };
    const account = hasRange(query) ? await findSpan(read, whole, query) : whole;
    if (cache === undefined) {
      return readPage(account, query);
    }
    const key = pageKey(account, query);
    const kept = findPage(cache, key, account);
    if (kept !== undefined) {
      return kept;
    }
    const page = await readPage(account, query);
    keepPage(cache, key, account, page);
    return page;
  };
}
