import type { MaybePromise } from '../maybe-promise.ts';
import type { GuildRef, SortOrder } from '../model.ts';
import type { DetailedTransaction, Poster, TransactionFilter } from './ledger-views.ts';

/** A transaction with everything the interface tells of it. */
export interface LedgerEntry extends Omit<DetailedTransaction, 'username' | 'seq' | 'postedBy'> {
  postedBy: Pick<Poster, 'kind' | 'id' | 'name'>;
}

export interface AccountSummary {
  playerId: string;
  balanceUnits: number;
  transactionCount: number;
  lastTransactionAtMs: number | undefined;
}

/** A place in the order of balances, which is total: by balance, then by account. */
export interface BalancePosition {
  balanceUnits: number;
  accountNo: number;
}

export interface BalancePage {
  accounts: AccountSummary[];
  /** The `after` with which the list goes on; undefined at its end. */
  next: BalancePosition | undefined;
}

export interface HistoryFilter extends TransactionFilter {
  playerId: string | undefined;
  sinceMs: number | undefined;
  untilMs: number | undefined;
  reference: string | undefined;
  /** What the name begins with; the letters A to Z without regard to case. */
  namePrefix: string | undefined;
}

export interface HistoryQuery extends HistoryFilter {
  limit: number;
  /** Only numbers below this one; undefined begins with the newest. */
  before: number | undefined;
}

export interface HistoryPage {
  entries: LedgerEntry[];
  /** The `before` with which the list goes on; undefined at its end. */
  next: number | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a transaction can have this id at all. */
export function isTransactionId(text: string): boolean {
  return UUID.test(text);
}

/** How many transactions one page with filters may cost to look at. */
export const HISTORY_LOOKED_AT_MAX = 10_000;

/** Reads a guild's ledger as the interface shows it. Each call sees one moment; nothing of another guild ever shows. */
export interface EntryStore {
  /**
   * Changes when the guild's ledger grows and when keys do. While it stays the same all answers below do, apart from the
   * names of people. Undefined where it is not known without asking a server.
   */
  revision(guild: GuildRef): string | undefined;
  /** Takes what `isTransactionId`. Should an id have been imported twice, the one with the lowest number counts. */
  find(guild: GuildRef, transactionId: string): Promise<LedgerEntry | undefined>;
  /** Those whose id begins with these hexadecimal digits, at least one and at most 32, in the order of ids. */
  findByPrefix(guild: GuildRef, digits: string, limit: number): Promise<LedgerEntry[]>;
  /** Those of the ids that are there, in any order. */
  findMany(guild: GuildRef, transactionIds: readonly string[]): Promise<LedgerEntry[]>;
  /** Both sides of each of these payments, in the order of their numbers. */
  findPayments(guild: GuildRef, paymentIds: readonly string[]): Promise<LedgerEntry[]>;
  /**
   * By number, highest first. With filters it looks at `HISTORY_LOOKED_AT_MAX` transactions and stops there, having found
   * what it found: the next call goes on from `next`.
   */
  history(guild: GuildRef, query: HistoryQuery): Promise<HistoryPage>;
  /** What follows a number, in order. Whoever saw a number has seen all below it: none of them appears later. */
  feed(guild: GuildRef, range: { after: number; limit: number }): Promise<LedgerEntry[]>;
  /** The number of the newest transaction; 0 when there is none. Cheap, for whoever wants to know whether there is something new. */
  lastNumber(guild: GuildRef): Promise<number>;
  /** An account now, or as it was at a time, which belongs to it. A player without an account has nothing. */
  account(guild: GuildRef, playerId: string, atMs?: number): MaybePromise<AccountSummary>;
  /** The accounts of these players, in the order given. */
  accounts(guild: GuildRef, playerIds: readonly string[]): Promise<AccountSummary[]>;
  /** All accounts by balance. */
  balances(
    guild: GuildRef,
    page: { sortOrder: SortOrder; limit: number; after: BalancePosition | undefined },
  ): Promise<BalancePage>;
}
