import { DomainError } from '../errors.ts';
import type { AppendOutcome, Idempotency, NewTransaction } from '../model.ts';
import { applyKeyLimit, type KeyLimitState } from './key-limits.ts';

/** How far an account has come. */
export interface AccountState {
  balanceUnits: number;
  /** The number of its transactions, which is also the number of the last one. */
  count: number;
  lastCreatedAtMs: number;
}

/** An account without transactions has no last time: an imported history may begin anywhere, before 1970 too. */
export const NEW_ACCOUNT: AccountState = {
  balanceUnits: 0,
  count: 0,
  lastCreatedAtMs: Number.NEGATIVE_INFINITY,
};

/** What was posted in the same guild with the same idempotency key. */
export interface EarlierPost {
  requestHash: string;
  transactionId: string;
  balanceUnits: number;
}

export interface PostContext {
  earlier: EarlierPost | undefined;
  /** Undefined when the player has no account yet. */
  account: AccountState | undefined;
  /** How far down a withdrawal may take the account, see `floorOf`. It is asked only when the answer matters. */
  floorUnits: () => number;
  /** The id of the transaction that has reversed the one that this post reverses. Asked of reversals only. */
  reversedBy?: () => string | undefined;
  /** The limits of the key that posts. Asked of limited keys only; undefined when it has lost them meanwhile. */
  keyLimit?: () => KeyLimitState | undefined;
}

/** An account's own floor counts before its guild's rule, which is zero or none. */
export function floorOf(
  account: { floorUnits?: number | null | undefined },
  overdraftAllowed: boolean,
): number {
  return account.floorUnits ?? (overdraftAllowed ? Number.NEGATIVE_INFINITY : 0);
}

/** Either the outcome of the earlier post, or the state that the account has after this one. */
export type PostDecision =
  | { replay: AppendOutcome }
  | { account: AccountState; keyLimit: KeyLimitState | undefined };

type Post = Pick<
  NewTransaction,
  'totalUnits' | 'createdAtMs' | 'idempotency' | 'extra' | 'isForced' | 'isKeyLimited'
>;

/**
 * What a post does to its account: replay, mismatch, limits of the key, second reversal, range, floor and order, in this order. It throws a DomainError
 * when the post is refused. PostgreSQL applies the same rules in SQL (`append_transactions`), and a property test compares the two.
 */
export function decidePost(
  { totalUnits, createdAtMs, idempotency, extra, isForced, isKeyLimited }: Post,
  { earlier, account = NEW_ACCOUNT, floorUnits, reversedBy, keyLimit }: PostContext,
): PostDecision {
  if (idempotency !== undefined && earlier !== undefined) {
    return { replay: replayOf(idempotency, earlier) };
  }
  const limit = isKeyLimited === true ? keyLimit?.() : undefined;
  const limited = limit && applyKeyLimit(limit, { totalUnits, createdAtMs });
  if (extra?.reverses !== undefined) {
    const transactionId = reversedBy?.();
    if (transactionId !== undefined) {
      throw new DomainError('already_reversed', { facts: { transactionId } });
    }
  }
  const balanceUnits = account.balanceUnits + totalUnits;
  if (!Number.isSafeInteger(balanceUnits)) {
    throw new DomainError('balance_out_of_range');
  }
  // A deposit into an account that is below its floor already is welcome.
  if (totalUnits < 0 && isForced !== true && balanceUnits < floorUnits()) {
    throw new DomainError('overdraft');
  }
  // Clocks of several machines differ, and may be set back: times never decrease along an account.
  const lastCreatedAtMs = Math.max(createdAtMs, account.lastCreatedAtMs);
  return { account: { balanceUnits, count: account.count + 1, lastCreatedAtMs }, keyLimit: limited };
}

/** The outcome of an earlier request with the same key, or a refusal when that one was another request. */
export function replayOf({ requestHash }: Idempotency, earlier: EarlierPost): AppendOutcome {
  if (earlier.requestHash !== requestHash) {
    throw new DomainError('idempotency_mismatch');
  }
  return { transactionId: earlier.transactionId, balanceUnits: earlier.balanceUnits, replayed: true };
}
