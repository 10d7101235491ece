import { DomainError } from '../errors.ts';
import type { AppendOutcome, NewTransaction } from '../model.ts';

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
  /** Whether the guild lets balances fall below zero. It is asked only when the answer matters. */
  mayOverdraw: () => boolean;
}

/** Either the outcome of the earlier post, or the state that the account has after this one. */
export type PostDecision = { replay: AppendOutcome } | { account: AccountState };

type Post = Pick<NewTransaction, 'totalUnits' | 'createdAtMs' | 'idempotency'>;

/**
 * What a post does to its account: replay, mismatch, range, overdraft and order, in this order. It throws a DomainError
 * when the post is refused. PostgreSQL applies the same rules in SQL (`append_posts`), and a property test compares the two.
 */
export function decidePost(
  { totalUnits, createdAtMs, idempotency }: Post,
  { earlier, account = NEW_ACCOUNT, mayOverdraw }: PostContext,
): PostDecision {
  if (idempotency !== undefined && earlier !== undefined) {
    if (earlier.requestHash !== idempotency.requestHash) {
      throw new DomainError('idempotency_mismatch');
    }
    const { transactionId, balanceUnits } = earlier;
    return { replay: { transactionId, balanceUnits, replayed: true } };
  }
  const balanceUnits = account.balanceUnits + totalUnits;
  if (!Number.isSafeInteger(balanceUnits)) {
    throw new DomainError('balance_out_of_range');
  }
  // A deposit into an account that is below zero already is welcome.
  if (totalUnits < 0 && balanceUnits < 0 && !mayOverdraw()) {
    throw new DomainError('overdraft');
  }
  // Clocks of several machines differ, and may be set back: times never decrease along an account.
  const lastCreatedAtMs = Math.max(createdAtMs, account.lastCreatedAtMs);
  return { account: { balanceUnits, count: account.count + 1, lastCreatedAtMs } };
}
