import type { KeyDay } from '../api/keys.ts';

const reasons: Readonly<Record<string, string>> = {
  rate_limited: 'Too many requests in a second',
  missing_scope: 'A scope was missing',
  key_limit_exceeded: 'Above the limits of the key',
  overdraft: 'The balance did not cover it',
  insufficient_funds: 'The balance did not cover it',
  missing_fields: 'Fields were missing',
  missing_parameters: 'Parameters were missing',
  invalid_input: 'Something was not as it must be',
  malformed_json: 'The body was no JSON',
  idempotency_mismatch: 'An idempotency key was used for something else',
  discharge_not_found: 'No such discharge',
  transfer_not_found: 'No such transfer',
  user_not_found: 'No such user',
  transaction_not_found: 'No such transaction',
  archived: 'The transaction is archived',
  record_changed: 'The record had changed meanwhile',
  store_unavailable: 'The service could not answer',
};

/** The reason for refused requests as text. */
export function reasonText(code: string): string {
  return reasons[code] ?? code.replaceAll('_', ' ');
}

export interface UsageTotals {
  answered: number;
  refused: number;
  /** Most frequent first. */
  byCode: { code: string; count: number }[];
}

export function usageTotals(days: readonly KeyDay[]): UsageTotals {
  const counts = new Map<string, number>();
  for (const { code, count } of days.flatMap(({ refused }) => refused)) {
    counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const byCode = Array.from(counts, ([code, count]) => ({ code, count })).sort(
    (one, other) => other.count - one.count || one.code.localeCompare(other.code),
  );
  return {
    answered: days.reduce((sum, { answered }) => sum + answered, 0),
    refused: byCode.reduce((sum, { count }) => sum + count, 0),
    byCode,
  };
}

export function refusedOn({ refused }: KeyDay): number {
  return refused.reduce((sum, { count }) => sum + count, 0);
}
