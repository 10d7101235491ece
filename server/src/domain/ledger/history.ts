import { DomainError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { GuildRef, SortOrder } from '../model.ts';
import { hashFilters, readPosition, writeCursor } from './cursor.ts';
import {
  type AccountSummary,
  type EntryStore,
  type HistoryFilter,
  isTransactionId,
  type LedgerEntry,
  missingTransaction,
} from './entries.ts';
import { type TransactionFilterInput, toFilter } from './ledger.ts';

export const PLAYER_IDS_MAX = 100;

export interface HistoryInput extends TransactionFilterInput {
  limit: number;
  cursor?: string | undefined;
  playerId?: string | undefined;
  /** ISO 8601 times: the first is included, the second is not. */
  since?: string | undefined;
  until?: string | undefined;
  reference?: string | undefined;
  search?: string | undefined;
}

export interface RankedAccount extends AccountSummary {
  /** The position in the list, from 1; undefined when players were named. */
  rank: number | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Undefined at the end. */
  nextCursor: string | undefined;
}

export interface AccountsInput {
  sortOrder: SortOrder;
  limit: number;
  cursor?: string | undefined;
}

/** Accounts and transactions as the interface shows them. */
export interface LedgerHistory {
  /**
   * While it stays the same, all answers below do too, apart from the names of people. Undefined when nothing may be
   * cached.
   */
  revision(guild: GuildRef): MaybePromise<string | undefined>;
  /** While it stays the same, the answers of `account` about this player do too. */
  accountRevision(guild: GuildRef, playerId: string): MaybePromise<string | undefined>;
  account(guild: GuildRef, playerId: string, at?: string): MaybePromise<AccountSummary>;
  /** All accounts ordered by balance, page by page. */
  accounts(guild: GuildRef, input: AccountsInput): Promise<Page<RankedAccount>>;
  /** The accounts of these players, in the given order. */
  accountsOf(guild: GuildRef, playerIds: readonly string[]): Promise<RankedAccount[]>;
  transaction(guild: GuildRef, transactionId: string): Promise<LedgerEntry>;
  /** Newest first. With filters that skip many transactions, a page may be short or empty before the end. */
  transactions(guild: GuildRef, input: HistoryInput): Promise<Page<LedgerEntry>>;
  /**
   * The transactions after a number, in order; after 0, beginning with the first that is not archived. Rejects with
   * `archived` when some of those after another number are archived.
   */
  feed(guild: GuildRef, range: { after: number; limit: number }): Promise<LedgerEntry[]>;
  /** The number of the newest transaction; 0 when there is none. */
  lastNumber(guild: GuildRef): Promise<number>;
}

export function createLedgerHistory({ store }: { store: EntryStore }): LedgerHistory {
  return {
    revision: (guild) => store.revision(guild),
    accountRevision: (guild, playerId) => store.accountRevision(guild, playerId),

    account: (guild, playerId, at) =>
      store.account(guild, playerId, at === undefined ? undefined : Date.parse(at)),

    async accounts(guild, { sortOrder, limit, cursor }) {
      const filterHash = hashFilters(['accounts', sortOrder]);
      const [balanceUnits = 0, accountNo = 0, skipped = 0] =
        cursor === undefined ? [] : readPosition(cursor, 3, filterHash);
      const after = cursor === undefined ? undefined : { balanceUnits, accountNo };
      const { accounts, next } = await store.balances(guild, { sortOrder, limit, after });
      const items = accounts.map((account, index) => ({ ...account, rank: skipped + index + 1 }));
      const nextCursor =
        next && writeCursor([next.balanceUnits, next.accountNo, skipped + items.length], filterHash);
      return { items, nextCursor };
    },

    async accountsOf(guild, playerIds) {
      const accounts = await store.accounts(guild, playerIds);
      return accounts.map((account) => ({ ...account, rank: undefined }));
    },

    async transaction(guild, transactionId) {
      const entry = isTransactionId(transactionId) ? await store.find(guild, transactionId) : undefined;
      if (entry === undefined) {
        throw await missingTransaction(store, guild, transactionId);
      }
      return entry;
    },

    async transactions(guild, { limit, cursor, ...input }) {
      const filter = toHistoryFilter(input);
      const filterHash = hashHistoryFilter(filter);
      const [before] = cursor === undefined ? [] : readPosition(cursor, 1, filterHash);
      const { entries, next } = await store.history(guild, { ...filter, limit, before });
      return { items: entries, nextCursor: next === undefined ? undefined : writeCursor([next], filterHash) };
    },

    async feed(guild, range) {
      const entries = await store.feed(guild, range);
      const { after } = range;
      // Numbers have no gaps, except that those at the beginning may be archived.
      const isNext = after === 0 || entries[0]?.number === after + 1;
      if (!isNext && after < (await store.archivedNumber(guild))) {
        throw new DomainError('archived', { detail: 'the next transactions after this number are archived' });
      }
      return entries;
    },
    lastNumber: (guild) => store.lastNumber(guild),
  };
}

/** The hash of a filter that its cursors contain. */
export function hashHistoryFilter(filter: HistoryFilter): string {
  return hashFilters(['transactions', ...Object.entries(filter).sort().flat()]);
}

export function toHistoryFilter(input: Omit<HistoryInput, 'limit' | 'cursor'>): HistoryFilter {
  const sinceMs = input.since === undefined ? undefined : Date.parse(input.since);
  const untilMs = input.until === undefined ? undefined : Date.parse(input.until);
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    throw new DomainError('invalid_input', { detail: 'since must be before until' });
  }
  const { playerId, reference, search: namePrefix } = input;
  return { ...toFilter(input), playerId, sinceMs, untilMs, reference, namePrefix };
}
