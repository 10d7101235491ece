import type { GuildRef } from '../guild-ref.ts';

/** Types of the ledger, as plain data. */

export interface NewTransaction {
  guild: GuildRef;
  playerId: string;
  transactionId: string;
  name: string;
  quantity: number;
  amountUnits: number;
  totalUnits: number;
  source: string;
  /** The posting key; undefined when it was not posted with a key. */
  keyNo: number | undefined;
  /** The public id of that key. Without it the sealer reads the row of the post. */
  keyId?: string | undefined;
  /** The chat account of the person who posted it in the dashboard. */
  postedBy?: string | undefined;
  createdAtMs: number;
  idempotency: Idempotency | undefined;
  /** Fields that only some transactions have. */
  extra?: TransactionExtra | undefined;
  /** Ignores the floor of the account, because a person who manages the guild decided so. */
  isForced?: boolean | undefined;
  /** True when its key has limits, which the commit then enforces. */
  isKeyLimited?: boolean | undefined;
}

/** The idempotency key of a request, and a hash that detects another request with the same key. */
export interface Idempotency {
  key: string;
  requestHash: string;
}

/** Key-value pairs of the caller, sorted by name. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * Texts of the caller that a transaction may have, in the order of answers. `reference` is the caller's own id of the transaction
 * and need not be unique. Posts, answers, exports, imports, copies and both stores take their lists from here.
 */
export const NOTE_FIELDS = ['reference'] as const;
export type NoteField = (typeof NOTE_FIELDS)[number];

/** The notes of the caller on a transaction. */
export interface TransactionNotes extends Partial<Record<NoteField, string | undefined>> {
  metadata?: Metadata | undefined;
}

export interface TransactionExtra extends TransactionNotes {
  /** Shared by the two sides of a payment. */
  paymentId?: string | undefined;
  /** The transaction that this one reverses. */
  reverses?: { number: number; transactionId: string } | undefined;
}

/** Transactions of one guild that are appended together or not at all. */
export interface TransactionGroup {
  guild: GuildRef;
  transactions: readonly NewTransaction[];
  /** The key of the whole group: a repeat appends nothing. */
  idempotency: Idempotency | undefined;
  /**
   * The request that contains the group, when its transactions have keys of their own. See `LedgerStore.claimBatch`.
   */
  batch?: Idempotency | undefined;
}

export interface AppendOutcome {
  transactionId: string;
  balanceUnits: number;
  replayed: boolean;
}

export const SORT_KEYS = ['amount', 'quantity', 'total', 'createdAt'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** The filters that all lists of transactions share. An undefined one does not restrict the list. */
export interface TransactionFilter {
  source: string | undefined;
  minUnits: number | undefined;
  maxUnits: number | undefined;
}

export interface ListingQuery extends TransactionFilter {
  page: number;
  limit: number;
  sortBy: SortKey;
  sortOrder: SortOrder;
}

export interface ListedTransaction {
  transactionId: string;
  amountUnits: number;
  quantity: number;
  name: string;
  source: string;
  totalUnits: number;
  createdAtMs: number;
}

export interface Listing {
  transactions: ListedTransaction[];
  /** The number of matches on all pages. */
  total: number;
}

/** A transaction as it is exported and imported. */
export interface PastTransaction extends ListedTransaction, TransactionNotes {
  guildId: string;
  playerId: string;
  /** The exported number. An imported transaction gets the guild's next number instead. */
  number?: number | undefined;
  paymentId?: string | undefined;
  /** The id of the transaction that it reverses. */
  reverses?: string | undefined;
}

export type ImportOutcome = 'added' | 'present' | { refused: string };
