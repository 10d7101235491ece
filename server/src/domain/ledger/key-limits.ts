import { dayOf } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import type { NewTransaction } from '../model.ts';

/** The limits of a key, and the sum of its withdrawals on the last day that it withdrew on. */
export interface KeyLimitState {
  amountMaxUnits: number | null;
  withdrawnPerDayMaxUnits: number | null;
  /** The day in UTC. */
  day: number;
  withdrawnUnits: number;
}

/** The texts of refusals. Answers append `of this key`. */
export const LIMIT_TEXTS = {
  amount_limit: 'the amount is above the limit',
  withdrawal_limit: 'the withdrawals of this day are above the limit',
} as const;

/**
 * Returns the state of a key after a transaction, or throws a refusal. The day never goes back: clocks of several
 * machines differ, and a transaction dated before `state.day` counts for `state.day`. PostgreSQL applies the same
 * rule in SQL (`post_transactions`).
 */
export function applyKeyLimit(
  state: KeyLimitState,
  { totalUnits, createdAtMs }: Pick<NewTransaction, 'totalUnits' | 'createdAtMs'>,
): KeyLimitState {
  const { amountMaxUnits, withdrawnPerDayMaxUnits } = state;
  if (amountMaxUnits !== null && Math.abs(totalUnits) > amountMaxUnits) {
    throw new DomainError('key_limit_exceeded', { detail: LIMIT_TEXTS.amount_limit });
  }
  const day = Math.max(state.day, dayOf(createdAtMs));
  const before = day === state.day ? state.withdrawnUnits : 0;
  const withdrawnUnits = Math.min(before + Math.max(-totalUnits, 0), Number.MAX_SAFE_INTEGER);
  if (totalUnits < 0 && withdrawnPerDayMaxUnits !== null && withdrawnUnits > withdrawnPerDayMaxUnits) {
    throw new DomainError('key_limit_exceeded', { detail: LIMIT_TEXTS.withdrawal_limit });
  }
  return { ...state, day, withdrawnUnits };
}
