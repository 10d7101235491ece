import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type Cache, createAskedBefore, createCache } from '../../domain/cache.ts';
import type { AccountListing } from '../../domain/ledger/ledger-views.ts';
import { type AccountKey, lengthOf, seqRange } from '../ledger/listed-account.ts';
import {
  accountValues,
  countedOrder,
  countSql,
  filterShape,
  hasRange,
  listingShape,
  pageSql,
  rangeSql,
} from '../ledger/listing-sql.ts';
import { findPage, type KeptPage, keepPage, type Page, pageKey } from '../ledger/page-cache.ts';
import type { RowForm } from '../ledger/row-form.ts';
import { hasFilters } from '../ledger/transaction-filters.ts';
import { DIALECT, forEachPart } from './account-parts.ts';
import { createFirstNotBefore } from './account-times.ts';
import { prepare, prepareLists, prepareOnDemand } from './connection.ts';
import { ROWS_HERE_MAX } from './long-read.ts';
import type { Revisions } from './revision.ts';

export interface AccountQuery {
  account: AccountKey;
  query: AccountListing;
}

type ToRow<Row> = (values: SQLOutputValue[]) => Row;

interface ListingOptions<Row> {
  form: RowForm;
  /**
   * Makes a row of its values, in the order of the form's columns. Without it SQLite makes the rows, which costs
   * more.
   */
  toRow?: ToRow<Row>;
  findAccount: FindAccount;
  /** Lists on another thread what visits too many rows for this one. */
  listElsewhere: (input: AccountQuery, rows: number) => Promise<Page<Row>>;
  /**
   * With a cache, pages of an account that did not grow are not read again. Pages that are read quickly are kept only
   * when they are asked for again: most pages of a walk through all pages or players never are.
   */
  cache?: { pages: Cache<KeptPage<Row>>; askedBefore: (key: string) => boolean };
}

/** Lists accounts page by page, with each transaction in the given form. */
export function createListing<Row>(db: DatabaseSync, options: ListingOptions<Row>) {
  const { form, toRow, findAccount, listElsewhere, cache } = options;
  const ranges = {
    asc: prepareRange(db, rangeSql(DIALECT, 'asc', form), toRow),
    desc: prepareRange(db, rangeSql(DIALECT, 'desc', form), toRow),
  };
  const listHere = createVisitingListing<Row>(db, form);
  // Made when a range is first asked for: the interface never asks for one.
  let spanOf: ReturnType<typeof createSpan> | undefined;

  function partOf(whole: AccountKey, query: AccountListing): AccountKey {
    spanOf ??= createSpan(db);
    return spanOf(whole, query);
  }

  function readPage(account: AccountKey, query: AccountListing): Page<Row> | Promise<Page<Row>> {
    if (query.sortBy !== 'createdAt' || hasFilters(query)) {
      const rows = rowsToVisit(account, query);
      return rows > ROWS_HERE_MAX ? listElsewhere({ account, query }, rows) : listHere({ account, query });
    }
    const { first, last } = seqRange(query, account);
    const transactions =
      first > last ? [] : ranges[query.sortOrder](account.guildNo, account.accountNo, first, last);
    return { transactions, total: lengthOf(account) };
  }

  return (guildNo: number, playerId: string, query: AccountListing): Page<Row> | Promise<Page<Row>> => {
    const found = findAccount(guildNo, playerId);
    if (found === undefined) {
      return { transactions: [], total: 0 };
    }
    const { accountNo, count, skipped } = found;
    const whole = { guildNo, accountNo, count, skipped };
    const account = hasRange(query) ? partOf(whole, query) : whole;
    if (cache === undefined) {
      return readPage(account, query);
    }
    const key = pageKey(account, query);
    const kept = findPage(cache.pages, key, account);
    if (kept !== undefined) {
      return kept;
    }
    const keep = (read: Page<Row>): Page<Row> => {
      keepPage(cache.pages, key, account, read);
      return read;
    };
    const page = readPage(account, query);
    if (page instanceof Promise) {
      return page.then(keep);
    }
    return cache.askedBefore(key) ? keep(page) : page;
  };
}

function prepareRange<Row>(db: DatabaseSync, sql: string, toRow: ToRow<Row> | undefined) {
  if (toRow === undefined) {
    const statement = prepare<Row>(db, sql);
    return (...values: number[]): Row[] => statement.all(...values);
  }
  const statement = prepareLists(db, sql);
  return (...values: number[]): Row[] => statement.all(...values).map(toRow);
}

/** Lists by any order and filters, and visits the rows before the page as well. */
export function createVisitingListing<Row>(db: DatabaseSync, form: RowForm) {
  const pages = prepareOnDemand<Row>(db);
  const counts = prepareOnDemand<{ total: number }>(db);

  function countMatching(query: AccountListing, values: readonly (number | string)[]): number {
    const count = counts(filterShape(query), () => countSql(DIALECT, query));
    return count.get(...forEachPart(countedOrder(query), values))?.total ?? 0;
  }

  return ({ account, query }: AccountQuery): Page<Row> => {
    const values = accountValues(account, query);
    const total = hasFilters(query) ? countMatching(query, values) : lengthOf(account);
    const offset = (query.page - 1) * query.limit;
    if (offset >= total) {
      return { transactions: [], total };
    }
    const page = pages(listingShape(query), () => pageSql(DIALECT, query, form));
    return {
      transactions: page.all(
        ...forEachPart(query.sortBy, values),
        query.limit,
        offset,
        account.guildNo,
        account.accountNo,
      ),
      total,
    };
  };
}

/** Finds the part of an account that lies within a range of time. */
export function createSpan(db: DatabaseSync) {
  const firstNotBefore = createFirstNotBefore(db);
  return (
    account: AccountKey,
    { sinceMs, untilMs }: Pick<AccountListing, 'sinceMs' | 'untilMs'>,
  ): AccountKey => ({
    ...account,
    skipped: sinceMs === undefined ? (account.skipped ?? 0) : firstNotBefore(account, sinceMs) - 1,
    count: untilMs === undefined ? account.count : firstNotBefore(account, untilMs) - 1,
  });
}

/**
 * Upper bound of the rows visited: filters are tested on every row, an order alone skips the rows before the page.
 */
function rowsToVisit({ count }: AccountKey, query: AccountListing): number {
  return hasFilters(query) || hasRange(query) ? count : Math.min(query.page * query.limit, count);
}

/** An account as a listing needs it. */
export interface FoundAccount {
  accountNo: number;
  count: number;
  /** The number of archived transactions, with which the account begins. */
  skipped: number;
}

export type FindAccount = (guildNo: number, playerId: string) => FoundAccount | undefined;

export function prepareAccount(db: DatabaseSync): FindAccount {
  const statement = prepareLists(
    db,
    'SELECT account_no, transaction_count, archived_count FROM account WHERE guild_no = ? AND player_id = ?',
  );
  return (guildNo, playerId) => {
    const found = statement.get(guildNo, playerId);
    return found && { accountNo: Number(found[0]), count: Number(found[1]), skipped: Number(found[2]) };
  };
}

/** Accounts whose number and length are cached. The cache holds at most two generations of this size. */
const CACHED_ACCOUNTS_MAX = 10_000;
const ASKED_ACCOUNTS = 16_384;

/** Finds accounts. Those of a guild whose ledger has not grown come from the cache. */
export function createAccountCache(db: DatabaseSync, revisions: Pick<Revisions, 'ofLedger'>): FindAccount {
  const find = prepareAccount(db);
  const cache = createCache<FoundAccount & { revision: string }>(CACHED_ACCOUNTS_MAX);
  const askedBefore = createAskedBefore(ASKED_ACCOUNTS);
  return (guildNo, playerId) => {
    const revision = revisions.ofLedger(guildNo);
    const key = `${guildNo} ${playerId}`;
    const cached = cache.get(key);
    if (cached !== undefined && cached.revision === revision) {
      return cached;
    }
    const found = find(guildNo, playerId);
    if (found !== undefined && revision !== undefined && askedBefore(key)) {
      cache.set(key, { ...found, revision });
    }
    return found;
  };
}
