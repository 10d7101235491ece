import type { GuildRef } from '../guild-ref.ts';

/** The ledger's nouns, as plain data. */

export interface NewTransaction {
  guild: GuildRef;
  playerId: string;
  transactionId: string;
  name: string;
  quantity: number;
  amountUnits: number;
  totalUnits: number;
  source: string;
  /** The key that posted it; undefined for what did not come through a key. */
  keyNo: number | undefined;
  /** The chat account of the person who posted it in the dashboard. */
  postedBy?: string | undefined;
  createdAtMs: number;
  idempotency: Idempotency | undefined;
  /** What only some transactions have. */
  extra?: TransactionExtra | undefined;
  /** Posted whatever the floor of the account says: a person who manages the guild decided so. */
  isForced?: boolean | undefined;
  /** Whether its key has limits, which are then held to in the commit. */
  isKeyLimited?: boolean | undefined;
}

/** A request that may be repeated: its key, and what tells it from another request with the same key. */
export interface Idempotency {
  key: string;
  requestHash: string;
}

/** Facts of the caller's own about a transaction, by name. Names are in order. */
export type Metadata = Readonly<Record<string, string>>;

export interface TransactionExtra {
  /** What the caller knows the transaction by; several may share one. */
  reference?: string | undefined;
  metadata?: Metadata | undefined;
  /** The two sides of a payment share one. */
  paymentId?: string | undefined;
  /** The transaction that this one takes back. */
  reverses?: { number: number; transactionId: string } | undefined;
}

/** Transactions of one guild that are appended all together or not at all. */
export interface TransactionGroup {
  guild: GuildRef;
  transactions: readonly NewTransaction[];
  /** Covers the group as a whole: a repeat appends nothing. */
  idempotency: Idempotency | undefined;
  /** The request that brought the group, whose transactions have keys of their own. See `LedgerStore.claimBatch`. */
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

export interface ListingQuery {
  page: number;
  limit: number;
  source: string | undefined;
  minUnits: number | undefined;
  maxUnits: number | undefined;
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
  /** How many match the filters, on all pages together. */
  total: number;
}

/** A transaction with its history: what is exported, and what comes in again. */
export interface PastTransaction extends ListedTransaction {
  guildId: string;
  playerId: string;
  /** As it was exported; what comes in gets the guild's next one. */
  number?: number | undefined;
  reference?: string | undefined;
  metadata?: Metadata | undefined;
  paymentId?: string | undefined;
  /** The id of the transaction that it takes back. */
  reverses?: string | undefined;
}

export type ImportOutcome = 'added' | 'present' | { refused: string };
