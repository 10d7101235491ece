import type { DayRange } from '../calendar.ts';
import type { GuildRef, ListedTransaction, ListingQuery, Metadata } from '../model.ts';

/** What the money pages of the dashboard look at. Sums are big integers: they may outgrow the exact numbers. */

export interface MoneySums {
  depositCount: number;
  depositUnits: bigint;
  withdrawalCount: number;
  /** Without a sign: what went out. */
  withdrawalUnits: bigint;
}

export interface DaySums extends MoneySums {
  day: number;
  /** Accounts whose first transaction was made on this day. */
  accountsOpened: number;
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
  /** The verified name, when there is one. */
  username: string | undefined;
  balanceUnits: number;
  transactions: number;
}

export interface PlayerAccount extends PlayerBalance {
  chatId: string | undefined;
  /** How far down withdrawals may take it; undefined leaves it to the guild. */
  floorUnits: number | undefined;
  firstAtMs: number;
  lastAtMs: number;
}

export interface BalancePoint {
  atMs: number;
  balanceUnits: number;
}

/** Who posted a transaction: a key, a person in the dashboard, or nobody here: it was brought in by the operator. */
export interface Poster {
  kind: 'key' | 'user' | 'import';
  id: string | undefined;
  name: string | undefined;
  /** The first characters of the key. */
  prefix: string | undefined;
}

export interface DetailedTransaction extends ListedTransaction {
  playerId: string;
  username: string | undefined;
  seq: number;
  /** Right after the transaction. */
  balanceUnits: number;
  postedBy: Poster;
  /** Dense within the guild, in the order of commits. */
  number: number;
  reference: string | undefined;
  metadata: Metadata | undefined;
  paymentId: string | undefined;
  /** The id of the transaction that this one takes back, and of the one that takes this one back. */
  reverses: string | undefined;
  reversedBy: string | undefined;
}

export interface DetailedListing {
  transactions: DetailedTransaction[];
  total: number;
}

/** The listing's query without its pages. */
export type ExportQuery = Omit<ListingQuery, 'page' | 'limit'>;

/** A place in the guild's order of transactions, which is total: by time, then account, then seq. */
export interface LedgerPosition {
  createdAtMs: number;
  accountNo: number;
  seq: number;
}

export type TransactionFilter = Pick<ListingQuery, 'source' | 'minUnits' | 'maxUnits'>;

export interface GuildListingQuery extends TransactionFilter {
  limit: number;
  /** Only what comes before this place; undefined begins with the newest. */
  before: LedgerPosition | undefined;
}

export interface GuildListing {
  transactions: DetailedTransaction[];
  /** The `before` with which the list goes on; undefined at its end. */
  next: LedgerPosition | undefined;
  /** Given when the search stopped before the page was full: everything newer than this was looked at. */
  searchedToMs: number | undefined;
  /** How many match on all pages; undefined where only counting them one by one could tell. */
  total: number | undefined;
}

/** Sources of one guild and day that have sums of their own; those beyond share one. */
export const SOURCES_PER_DAY_MAX = 100;

/** How many people with a fitting name a search looks at, in all guilds together. */
export const NAME_CANDIDATES_MAX = 200;

/** How many transactions one page of the guild's list may cost to look at. */
export const LOOKED_AT_MAX = 50_000;
/** The same for one source, which takes the whole row of each. */
export const LOOKED_AT_FOR_SOURCE_MAX = 20_000;

/**
 * Looks at a guild's ledger. Everything is as of one moment per call, in step with the transactions: what a post or an
 * import changes here is changed in its own commit. Nothing of another guild ever shows.
 */
export interface LedgerViewStore {
  /** All accounts and all transactions together. */
  totals(guild: GuildRef): Promise<GuildTotals>;
  /** The days of the range on which something happened, in order. An imported transaction counts on its own day. */
  days(guild: GuildRef, range: DayRange): Promise<DaySums[]>;
  /**
   * The sources with the largest turnover over the range, largest first, equal ones by name. On a day with more than
   * `SOURCES_PER_DAY_MAX` sources only that many have sums; which ones is for the store to say.
   */
  topSources(guild: GuildRef, range: DayRange, limit: number): Promise<SourceSums[]>;
  /** The accounts with the largest balances, largest first. */
  largestBalances(guild: GuildRef, limit: number): Promise<PlayerBalance[]>;
  /**
   * Players with an account in the guild: the one of exactly this id, then those whose verified name begins like this
   * without regard to case, then those whose id does. Looks at no more than `NAME_CANDIDATES_MAX` names.
   */
  findPlayers(guild: GuildRef, text: string, limit: number): Promise<PlayerBalance[]>;
  /** Undefined for a player without an account in the guild, verified or not. */
  findPlayer(guild: GuildRef, playerId: string): Promise<PlayerAccount | undefined>;
  /**
   * The balance over time, in order. Of an account with more than `pointsMax` transactions, the first and last balance
   * of each bucket of time, its lowest and its highest. New transactions leave the points of earlier buckets as they are,
   * until the buckets get longer.
   */
  history(guild: GuildRef, playerId: string, pointsMax: number): Promise<BalancePoint[]>;
  /** The same rows, order and total as `LedgerStore.list`, with everything known of each transaction. */
  list(guild: GuildRef, playerId: string, query: ListingQuery): Promise<DetailedListing>;
  /**
   * The guild's transactions, newest first. Looks at about `LOOKED_AT_MAX` at most (for one source at
   * `LOOKED_AT_FOR_SOURCE_MAX`) and stops there, having found what it found: the next call goes on from `next`.
   */
  listGuild(guild: GuildRef, query: GuildListingQuery): Promise<GuildListing>;
  /** All of an account's transactions that match, in the query's order, as of the moment the reading began. */
  read(guild: GuildRef, playerId: string, query: ExportQuery): AsyncIterable<DetailedTransaction>;
  /** All of the guild's transactions that match, newest first, as of the moment the reading began. */
  readGuild(guild: GuildRef, filter: TransactionFilter): AsyncIterable<DetailedTransaction>;
}
