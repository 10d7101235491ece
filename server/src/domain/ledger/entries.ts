import { DomainError, type ErrorFacts } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { GuildRef, SortOrder, TransactionFilter } from '../model.ts';
import type { DetailedTransaction, Poster } from './ledger-views.ts';

/** A transaction with all fields that the interface shows. */
export interface LedgerEntry extends Omit<DetailedTransaction, 'username' | 'seq' | 'postedBy'> {
  postedBy: Pick<Poster, 'kind' | 'id' | 'name'>;
}

export interface AccountSummary {
  playerId: string;
  balanceUnits: number;
  transactionCount: number;
  lastTransactionAtMs: number | undefined;
}

/** A position in the order of accounts: by balance, then by account number. */
export interface BalancePosition {
  balanceUnits: number;
  accountNo: number;
}

export interface BalancePage {
  accounts: AccountSummary[];
  /** The `after` of the next page; undefined at the end. */
  next: BalancePosition | undefined;
}

export interface HistoryFilter extends TransactionFilter {
  playerId: string | undefined;
  sinceMs: number | undefined;
  untilMs: number | undefined;
  reference: string | undefined;
  /** The beginning of the name. The letters A to Z match in either case. */
  namePrefix: string | undefined;
}

export interface HistoryQuery extends HistoryFilter {
  limit: number;
  /** Only numbers below this one; undefined starts with the newest. */
  before: number | undefined;
}

export interface HistoryPage {
  entries: LedgerEntry[];
  /** The `before` of the next page; undefined at the end. */
  next: number | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True when the text has the form of a transaction's id. */
export function isTransactionId(text: string): boolean {
  return UUID.test(text);
}

/** The error for a transaction that is not there: it is archived, or the guild never had it. */
export async function missingTransaction(
  entries: Pick<EntryStore, 'isArchived'>,
  guild: GuildRef,
  transactionId: string,
  facts?: ErrorFacts,
): Promise<DomainError> {
  const isArchived = isTransactionId(transactionId) && (await entries.isArchived(guild, transactionId));
  return new DomainError(isArchived ? 'archived' : 'transaction_not_found', facts && { facts });
}

/** The number of transactions that one page with filters looks at. */
export const HISTORY_LOOKED_AT_MAX = 10_000;

/**
 * Reads a guild's ledger for the interface. Each call reads one consistent state; data of other guilds is never
 * returned.
 */
export interface EntryStore {
  /**
   * Changes when the guild's ledger grows and when its keys change. While it stays the same, all answers below do too,
   * apart from the names of people. It reflects every commit acknowledged before the call. Undefined when nothing may
   * be cached.
   */
  revision(guild: GuildRef): MaybePromise<string | undefined>;
  /** The same for the answers of `account` about one player; changes at least when the account grows. */
  accountRevision(guild: GuildRef, playerId: string): MaybePromise<string | undefined>;
  /**
   * Requires an id that passes `isTransactionId`. Of an id that was imported twice, returns the transaction with the
   * lowest number.
   */
  find(guild: GuildRef, transactionId: string): Promise<LedgerEntry | undefined>;
  /** Transactions whose id begins with these 1 to 32 hexadecimal digits, ordered by id. */
  findByPrefix(guild: GuildRef, digits: string, limit: number): Promise<LedgerEntry[]>;
  /** The existing transactions of these ids, in any order. */
  findMany(guild: GuildRef, transactionIds: readonly string[]): Promise<LedgerEntry[]>;
  /** Both sides of each of these payments, ordered by number. */
  findPayments(guild: GuildRef, paymentIds: readonly string[]): Promise<LedgerEntry[]>;
  /**
   * By descending number. With filters it stops after `HISTORY_LOOKED_AT_MAX` transactions and returns the matches so
   * far; continue from `next`.
   */
  history(guild: GuildRef, query: HistoryQuery): Promise<HistoryPage>;
  /** The transactions after a number, in order. No transaction with a lower number appears later. */
  feed(guild: GuildRef, range: { after: number; limit: number }): Promise<LedgerEntry[]>;
  /** The number of the last archived transaction; 0 when none is archived. */
  archivedNumber(guild: GuildRef): Promise<number>;
  /** True when the guild had the transaction and it is archived. */
  isArchived(guild: GuildRef, transactionId: string): Promise<boolean>;
  /** True when a post of the guild has used the idempotency key. */
  isKeyUsed(guild: GuildRef, idempotencyKey: string): Promise<boolean>;
  /** The number of the newest transaction; 0 when there is none. Cheap enough for polling. */
  lastNumber(guild: GuildRef): Promise<number>;
  /**
   * An account now, or as of a time, which is included. A player without an account has a balance of zero. Rejects with
   * `archived` when a later transaction of the account is archived: the balance at that time is then unknown.
   */
  account(guild: GuildRef, playerId: string, atMs?: number): MaybePromise<AccountSummary>;
  /** The accounts of these players, in the given order. */
  accounts(guild: GuildRef, playerIds: readonly string[]): Promise<AccountSummary[]>;
  /** All accounts, ordered by balance. */
  balances(
    guild: GuildRef,
    page: { sortOrder: SortOrder; limit: number; after: BalancePosition | undefined },
  ): Promise<BalancePage>;
}
