import { DomainError } from '../errors.ts';
import type { AppendOutcome, Idempotency, NewTransaction } from '../model.ts';
import { applyKeyLimit, type KeyLimitState } from './key-limits.ts';

/** The state of an account that a post depends on. */
export interface AccountState {
  balanceUnits: number;
  /** The number of its transactions, which equals the last `seq`. */
  count: number;
  lastCreatedAtMs: number;
}

/** An account without transactions has no last time: an imported history may start at any time, also before 1970. */
export const NEW_ACCOUNT: AccountState = {
  balanceUnits: 0,
  count: 0,
  lastCreatedAtMs: Number.NEGATIVE_INFINITY,
};

/** An earlier post of the guild with the same idempotency key. */
export interface EarlierPost {
  requestHash: string;
  transactionId: string;
  balanceUnits: number;
}

export interface PostContext {
  earlier: EarlierPost | undefined;
  /** Undefined when the player has no account yet. */
  account: AccountState | undefined;
  /** The lowest balance to which a withdrawal may take the account, see `floorOf`. Called only when it matters. */
  floorUnits: () => number;
  /** The id of the transaction that has already reversed the one that this post reverses. Called only for reversals. */
  reversedBy?: () => string | undefined;
  /**
   * The limits of the posting key. Called only for limited keys; undefined when the limits were removed in the
   * meantime.
   */
  keyLimit?: () => KeyLimitState | undefined;
}

/** An account's own floor takes precedence over the guild's rule, which is zero or no floor. */
export function floorOf(
  account: { floorUnits?: number | null | undefined },
  overdraftAllowed: boolean,
): number {
  return account.floorUnits ?? (overdraftAllowed ? Number.NEGATIVE_INFINITY : 0);
}

/** The outcome of the earlier post, or the state of the account after this one. */
export type PostDecision =
  | { replay: AppendOutcome }
  | { account: AccountState; keyLimit: KeyLimitState | undefined };

type Post = Pick<
  NewTransaction,
  'totalUnits' | 'createdAtMs' | 'idempotency' | 'extra' | 'isForced' | 'isKeyLimited'
>;

/**
 * Decides the effect of a post on its account. Checks, in this order: replay, mismatch, limits of the key, second
 * reversal, range, floor, time order. Throws a DomainError when the post is refused. PostgreSQL applies the same
 * rules in SQL (`post_transactions`), and a property test compares the two.
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
  // A deposit is accepted even if the balance stays below the floor.
  if (totalUnits < 0 && isForced !== true && balanceUnits < floorUnits()) {
    throw new DomainError('overdraft');
  }
  // Clocks of several machines differ and may be set back, but times never decrease within an account.
  const lastCreatedAtMs = Math.max(createdAtMs, account.lastCreatedAtMs);
  return { account: { balanceUnits, count: account.count + 1, lastCreatedAtMs }, keyLimit: limited };
}

/** The outcome of the earlier request with the same key. Throws when that was another request. */
export function replayOf({ requestHash }: Idempotency, earlier: EarlierPost): AppendOutcome {
  if (earlier.requestHash !== requestHash) {
    throw new DomainError('idempotency_mismatch');
  }
  return { transactionId: earlier.transactionId, balanceUnits: earlier.balanceUnits, replayed: true };
}
