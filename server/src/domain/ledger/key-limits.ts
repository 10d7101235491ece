import { dayOf } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import type { NewTransaction } from '../model.ts';

/** The limits of a key, and how much it has withdrawn on the day that it last withdrew on. */
export interface KeyLimitState {
  amountMaxUnits: number | null;
  withdrawnPerDayMaxUnits: number | null;
  /** The day in UTC. */
  day: number;
  withdrawnUnits: number;
}

/** What a refusal says, with the words `of this key` behind it. */
export const LIMIT_TEXTS = {
  amount_limit: 'the amount is above the limit',
  withdrawal_limit: 'the withdrawals of this day are above the limit',
} as const;

/**
 * Where a key stands after a transaction, or a refusal. A day never comes again: with clocks of several machines, what is
 * dated before the last day counts for that. PostgreSQL applies the same rule in SQL (`append_transactions`).
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
