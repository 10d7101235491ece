import type { DayRange } from '../calendar.ts';
import type {
  GuildRef,
  ListedTransaction,
  ListingQuery,
  Metadata,
  SortKey,
  SortOrder,
  TimeRange,
} from '../model.ts';

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

/** What happened between two times, of which neither need be a day's. */
export interface SpanSums extends MoneySums {
  accountsOpened: number;
}

/** What a player got or spent. */
export interface PlayerTurnover {
  playerId: string;
  username: string | undefined;
  count: number;
  /** Without a sign. */
  units: bigint;
}

export interface TopPlayers {
  earners: PlayerTurnover[];
  spenders: PlayerTurnover[];
  /** Given when there was more than is looked at: from this time on all of it was. */
  searchedToMs: number | undefined;
}

/** What an account did between two times. */
export interface AccountSums {
  /** The balance before the first transaction, and after the last one. */
  openingUnits: number;
  closingUnits: number;
  all: MoneySums;
  /** The sources with the largest turnover. */
  sources: SourceSums[];
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

/** A range of time, of which an end may be open: from the first one on, before the second. */
export interface OpenTimes {
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/** A page of an account, of a range of time when there is one. */
export interface AccountListing extends ListingQuery, OpenTimes {}

/** The listing's query without its pages. */
export type ExportQuery = Omit<AccountListing, 'page' | 'limit'>;

/** A place in the guild's order of transactions, which is total: by time, then account, then seq. */
export interface LedgerPosition {
  createdAtMs: number;
  accountNo: number;
  seq: number;
}

export type TransactionFilter = Pick<ListingQuery, 'source' | 'minUnits' | 'maxUnits'>;

/** The filters of the money pages. */
export interface ViewFilter extends TransactionFilter, OpenTimes {
  /** What name or source contain, or what the player's id is; the letters A to Z without regard to case. */
  search?: string | undefined;
}

export interface GuildListingQuery extends ViewFilter {
  limit: number;
  /** By time, the newest first, when absent. */
  sortBy?: SortKey | undefined;
  sortOrder?: SortOrder | undefined;
  /** Only what comes behind this place in the order; undefined begins with the first. */
  after?: ListPlace | undefined;
}

/** A place in an order of the guild's list: by a value, and among equal ones by time. */
export interface ListPlace extends LedgerPosition {
  /** What the list is sorted by; the time again where that is it. */
  value: number;
}

export interface GuildListing {
  transactions: DetailedTransaction[];
  /** The `after` with which the list goes on; undefined at its end. */
  next: ListPlace | undefined;
  /** Given when the search stopped before the page was full: everything up to this time was looked at. */
  searchedToMs: number | undefined;
  /** How many match on all pages; undefined where only counting them one by one could tell. */
  total: number | undefined;
}

/** Sources of one guild and day that have sums of their own; those beyond share one. */
export const SOURCES_PER_DAY_MAX = 100;

/** How far accounts below zero are counted. */
export const OVERDRAWN_COUNTED_MAX = 1_000;

/** How many transactions of a range, the newest ones, are added up by player. */
export const TOP_PLAYERS_LOOKED_AT_MAX = 100_000;

/** How many people with a fitting name a search looks at, in all guilds together. */
export const NAME_CANDIDATES_MAX = 200;

/** How many transactions one page of the guild's list may cost to look at. */
export const LOOKED_AT_MAX = 50_000;
/** The same for one source or a text, which take the whole row of each. */
export const LOOKED_AT_FOR_SOURCE_MAX = 20_000;
/** How many transactions a list sorted by anything but time may be made of. */
export const SORTED_MAX = 50_000;

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
  /** All accounts together before a day: what came in on the days before it, less what went out. */
  balanceBefore(guild: GuildRef, day: number): Promise<bigint>;
  /** What happened between two times, added up from the transactions: for a part of a day, which has no sums of its own. */
  sumsBetween(guild: GuildRef, times: TimeRange): Promise<SpanSums>;
  /**
   * Who got and who spent most between two times, the largest first, equal ones by account. Looks at the newest
   * `TOP_PLAYERS_LOOKED_AT_MAX` transactions and says so when there were more.
   */
  topPlayers(guild: GuildRef, times: TimeRange, limit: number): Promise<TopPlayers>;
  /** The accounts below zero, the lowest first. */
  overdrawn(guild: GuildRef, limit: number): Promise<Overdrawn>;
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
   * until the buckets get longer. Only points of the range when there is one.
   */
  history(guild: GuildRef, playerId: string, pointsMax: number, times?: OpenTimes): Promise<BalancePoint[]>;
  /** What an account did in a range, with so many of its sources. Undefined for a player without an account. */
  accountSums(
    guild: GuildRef,
    playerId: string,
    times: OpenTimes,
    sourcesMax: number,
  ): Promise<AccountSums | undefined>;
  /** The same rows, order and total as `LedgerStore.list`, with everything known of each transaction. */
  list(guild: GuildRef, playerId: string, query: AccountListing): Promise<DetailedListing>;
  /** Undefined when the guild has no such transaction. Takes what `isTransactionId`. */
  find(guild: GuildRef, transactionId: string): Promise<DetailedTransaction | undefined>;
  /**
   * The guild's transactions. By time it looks at about `LOOKED_AT_MAX` at most (for one source or a text at
   * `LOOKED_AT_FOR_SOURCE_MAX`) and stops there, having found what it found: the next call goes on from `next`. By anything
   * else it takes all of the range, and rejects with `invalid_input` when its days have more than `SORTED_MAX`.
   */
  listGuild(guild: GuildRef, query: GuildListingQuery): Promise<GuildListing>;
  /** All of an account's transactions that match, in the query's order, as of the moment the reading began. */
  read(guild: GuildRef, playerId: string, query: ExportQuery): AsyncIterable<DetailedTransaction>;
  /** All of the guild's transactions that match, by time and the newest first, as of the moment the reading began. */
  readGuild(guild: GuildRef, filter: ViewFilter, order?: SortOrder): AsyncIterable<DetailedTransaction>;
}
