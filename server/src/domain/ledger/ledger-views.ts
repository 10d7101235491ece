import type { DayRange } from '../calendar.ts';
import type {
  GuildRef,
  ListedTransaction,
  ListingQuery,
  SortKey,
  SortOrder,
  TimeRange,
  TransactionFilter,
  TransactionNotes,
} from '../model.ts';
import type { BalanceSpan } from './balance-span.ts';
import type { DaySums, FilteredSums, MoneySums, SpanSums, TopPlayers } from './money-sums.ts';

/** The queries of the dashboard's money pages. Sums are bigint, because they may exceed the safe integers. */

export type { DaySums, FilteredSums, MoneySums, PlayerTurnover, SpanSums, TopPlayers } from './money-sums.ts';

/** The sums of an account between two times. */
export interface AccountSums {
  /** The balance before the first transaction, and after the last one. */
  openingUnits: number;
  closingUnits: number;
  all: MoneySums;
  /** The sources with the largest turnover. */
  sources: SourceSums[];
  /**
   * Set when the range begins in the archived part of the account: the time of its last archived transaction. Archived
   * transactions are in no sum; the opening balance is the one after them.
   */
  archivedUntilMs: number | undefined;
}

export interface Overdrawn {
  players: PlayerBalance[];
  /** At most `OVERDRAWN_COUNTED_MAX`: there may be more. */
  count: number;
}

export interface SourceSums extends MoneySums {
  source: string;
}

export interface GuildTotals {
  accounts: number;
  transactions: number;
  balanceUnits: bigint;
}

export interface PlayerBalance {
  playerId: string;
  /** The verified name, if there is one. */
  username: string | undefined;
  balanceUnits: number;
  transactions: number;
}

/** An account with the values that decide whether a withdrawal is possible. */
export interface AccountFunds {
  playerId: string;
  balanceUnits: number;
  /** The lowest balance to which withdrawals may take it; undefined applies the guild's rule. */
  floorUnits: number | undefined;
}

export interface PlayerAccount extends PlayerBalance {
  chatId: string | undefined;
  /** The lowest balance to which withdrawals may take it; undefined applies the guild's rule. */
  floorUnits: number | undefined;
  firstAtMs: number;
  lastAtMs: number;
}

/** Who posted a transaction: a key, a person in the dashboard, or the operator by an import. */
export interface Poster {
  kind: 'key' | 'user' | 'import';
  id: string | undefined;
  name: string | undefined;
  /** The first characters of the key. */
  prefix: string | undefined;
}

/** A transaction that corrects another one. */
export interface TransactionCorrection {
  transactionId: string;
  totalUnits: number;
}

export interface DetailedTransaction extends ListedTransaction, TransactionNotes {
  playerId: string;
  username: string | undefined;
  seq: number;
  /** The balance right after the transaction. */
  balanceUnits: number;
  postedBy: Poster;
  /** Without gaps within the guild, in the order of commits. */
  number: number;
  paymentId: string | undefined;
  /** The id of the transaction that this one reverses, and of the one that reverses this one. */
  reverses: string | undefined;
  reversedBy: string | undefined;
  /**
   * The corrections of this one that were not reversed, newest first. Set in lists and in `find` when there are some,
   * never in exports.
   */
  corrections?: TransactionCorrection[];
}

/** A transaction as somebody sees it. Those who see only their own account do not get its number, which counts the transactions of others. */
export interface ShownTransaction extends Omit<DetailedTransaction, 'number'> {
  number: number | undefined;
}

export interface ShownListing {
  transactions: ShownTransaction[];
  total: number;
}

export interface DetailedListing {
  transactions: DetailedTransaction[];
  total: number;
}

/** A range of time with optional ends: the first is included, the second is not. */
export interface OpenTimes {
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/** A page of an account, optionally within a range of time. */
export interface AccountListing extends ListingQuery, OpenTimes {}

/** The query of a listing without page and limit. */
export type ExportQuery = Omit<AccountListing, 'page' | 'limit'>;

/** A position in the guild's order of transactions: by time, then account, then seq. */
export interface LedgerPosition {
  createdAtMs: number;
  accountNo: number;
  seq: number;
}

/** The filters of the money pages. */
export interface ViewFilter extends TransactionFilter, OpenTimes {
  /**
   * A text that name or source contains, the player's id, or the beginning of the player's verified name. The letters A to Z match in
   * either case. The id of a transaction finds that one alone.
   */
  search?: string | undefined;
}

export interface GuildListingQuery extends ViewFilter {
  limit: number;
  /** Without it, by time with the newest first. */
  sortBy?: SortKey | undefined;
  sortOrder?: SortOrder | undefined;
  /** Only transactions after this position; undefined starts with the first. */
  after?: ListPlace | undefined;
}

/** A position in a sorted list of the guild: by a value, then by time. */
export interface ListPlace extends LedgerPosition {
  /** The value of the sort key; the time when the list is sorted by time. */
  value: number;
}

export interface GuildListing {
  transactions: DetailedTransaction[];
  /** The `after` of the next page; undefined at the end. */
  next: ListPlace | undefined;
  /** Set when the search stopped before the page was full: everything up to this time was looked at. */
  searchedToMs: number | undefined;
  /** The number of matches on all pages; undefined when it would have to be counted row by row. */
  total: number | undefined;
}

/** The number of sources of one guild and day with sums of their own. All further sources share one sum. */
export const SOURCES_PER_DAY_MAX = 100;

/** The sources of whole days that are merged with those of parts of days. */
export const SOURCES_MERGED_MAX = 1_000;

/** Sums use the days of a guild's calendar while the days in UTC that it divides have at most this many transactions. */
export const CUT_DAYS_READ_MAX = 200_000;

/** Accounts below zero are counted up to this number. */
export const OVERDRAWN_COUNTED_MAX = 1_000;

/** Accounts above another one are counted up to this number. */
export const RANKS_COUNTED_MAX = 1_000;

/** The number of transactions of a range, the newest ones, that are summed by player. */
export const TOP_PLAYERS_LOOKED_AT_MAX = 100_000;

/** The number of transactions of a filter, the newest ones, that are added up one by one. */
export const SUMMED_MAX = 50_000;

/** The number of people with a matching name that a search looks at, over all guilds. */
export const NAME_CANDIDATES_MAX = 200;

/** The number of transactions that one page of the guild's list looks at. */
export const LOOKED_AT_MAX = 50_000;
/** The same for a filter by source or text, which reads the whole row of each. */
export const LOOKED_AT_FOR_SOURCE_MAX = 20_000;
/** The largest number of transactions in a list that is not sorted by time. */
export const SORTED_MAX = 50_000;

/**
 * Queries over a guild's ledger. Each call reads one consistent state. The sums change in the same commit as the
 * transactions. Data of other guilds is never returned.
 */
export interface LedgerViewStore {
  /** Sums over all accounts and all transactions. */
  totals(guild: GuildRef): Promise<GuildTotals>;
  /** The days of the range with transactions, in order. An imported transaction counts on its own day. */
  days(guild: GuildRef, range: DayRange): Promise<DaySums[]>;
  /**
   * The sources with the largest turnover over the range, largest first, equal ones by name. On a day with more than
   * `SOURCES_PER_DAY_MAX` sources only that number has sums; the store decides which.
   */
  topSources(guild: GuildRef, range: DayRange, limit: number): Promise<SourceSums[]>;
  /**
   * The same between two times. Days in UTC that are not wholly between them are computed from their transactions. Of the
   * other days, at most `SOURCES_MERGED_MAX` sources are looked at.
   */
  sourcesBetween(guild: GuildRef, times: TimeRange, limit: number): Promise<SourceSums[]>;
  /** Sums over all transactions before a time, and the accounts that had one. */
  totalsBefore(guild: GuildRef, timeMs: number): Promise<GuildTotals>;
  /**
   * The sums between each time and the next; the times are in order. Adds up stored sums of days in UTC, and transactions
   * of the days in UTC that a time divides.
   */
  spanSums(guild: GuildRef, timesMs: readonly number[]): Promise<SpanSums[]>;
  /**
   * The number of transactions on the days in UTC that the times divide: an upper bound of the transactions that `spanSums`
   * reads. Undefined when transactions of such a day are archived.
   */
  countCutDays(guild: GuildRef, timesMs: readonly number[]): Promise<number | undefined>;
  /**
   * The players who earned and spent most between two times, largest first, equal ones by account. Looks at the
   * newest `TOP_PLAYERS_LOOKED_AT_MAX` transactions; `searchedToMs` is set when there were more.
   */
  topPlayers(guild: GuildRef, times: TimeRange, limit: number): Promise<TopPlayers>;
  /** The accounts below zero, lowest first. */
  overdrawn(guild: GuildRef, limit: number): Promise<Overdrawn>;
  /** The accounts with the largest balances, largest first. */
  largestBalances(guild: GuildRef, limit: number): Promise<PlayerBalance[]>;
  /** The number of accounts with a larger balance, at most `RANKS_COUNTED_MAX`. */
  countAbove(guild: GuildRef, balanceUnits: number): Promise<number>;
  /**
   * Players with an account in the guild: the one with exactly this id, then those whose verified name begins with
   * the text in either case, then those whose id does. Looks at no more than `NAME_CANDIDATES_MAX` names.
   */
  findPlayers(guild: GuildRef, text: string, limit: number): Promise<PlayerBalance[]>;
  /** Undefined for a player without an account in the guild, verified or not. */
  findPlayer(guild: GuildRef, playerId: string): Promise<PlayerAccount | undefined>;
  /** The accounts of these players, in no particular order. A player without an account is left out. */
  findFunds(guild: GuildRef, playerIds: readonly string[]): Promise<AccountFunds[]>;
  /**
   * The balance over time, in order. With at most `spansMax` transactions, each is a span of its own; otherwise all
   * transactions of one bucket of time are one span. New transactions do not change earlier spans, until the buckets
   * get longer. With `times`, only transactions of that range.
   */
  history(guild: GuildRef, playerId: string, spansMax: number, times?: OpenTimes): Promise<BalanceSpan[]>;
  /**
   * The sums of an account in a range, with at most `sourcesMax` of its sources. Undefined for a player without an
   * account.
   */
  accountSums(
    guild: GuildRef,
    playerId: string,
    times: OpenTimes,
    sourcesMax: number,
  ): Promise<AccountSums | undefined>;
  /** The same rows, order and total as `LedgerStore.list`, with all fields of each transaction. */
  list(guild: GuildRef, playerId: string, query: AccountListing): Promise<DetailedListing>;
  /** Undefined when the guild has no such transaction. Requires an id that passes `isTransactionId`. */
  find(guild: GuildRef, transactionId: string): Promise<DetailedTransaction | undefined>;
  /**
   * The guild's transactions. Sorted by time, it stops after about `LOOKED_AT_MAX` transactions (with a filter by
   * source or text, `LOOKED_AT_FOR_SOURCE_MAX`) and returns the matches so far; continue from `next`. Sorted by
   * another key, it reads the whole range, and rejects with `invalid_input` when the range's days have more than
   * `SORTED_MAX`.
   */
  listGuild(guild: GuildRef, query: GuildListingQuery): Promise<GuildListing>;
  /** The sums of everything that `listGuild` finds with the filter, as far as `searchedToMs` says. */
  filteredSums(guild: GuildRef, filter: ViewFilter): Promise<FilteredSums>;
  /** All matching transactions of an account, in the query's order, as of the moment the reading began. */
  read(guild: GuildRef, playerId: string, query: ExportQuery): AsyncIterable<DetailedTransaction>;
  /** All matching transactions of the guild, by default newest first, as of the moment the reading began. */
  readGuild(guild: GuildRef, filter: ViewFilter, order?: SortOrder): AsyncIterable<DetailedTransaction>;
}
