import type { KeyDay } from '../api/keys.ts';

const reasons: Readonly<Record<string, string>> = {
  rate_limited: 'Too many requests in a short time',
  authentication_throttled: 'Too many failed authentications from its address',
  unauthorized: 'The key was not valid, or not allowed from its address',
  authentication_required: 'The key was missing',
  missing_scope: 'A scope was missing',
  plan_required: 'The plan of the guild does not cover it',
  key_limit_exceeded: 'Above the limits of the key',
  deposit_conflict: 'Marked as a deposit, with a negative amount',
  withdrawal_conflict: 'Marked as a withdrawal, with a positive amount',
  overdraft: 'The balance did not cover it',
  overdraft_unconfirmed: 'The balance would have fallen below zero',
  insufficient_funds: 'The balance did not cover it',
  balance_out_of_range: 'The balance would have become too large',
  batch_refused: 'One item of a batch was refused, so none was posted',
  already_reversed: 'The transaction was reversed before',
  is_reversal: 'A reversal cannot be reversed',
  is_payment: 'Both sides of a payment are reversed together',
  missing_fields: 'Fields were missing',
  missing_parameters: 'Parameters were missing',
  invalid_input: 'A field or parameter was not valid',
  invalid_category: 'The category was not valid',
  unknown_parameter: 'A parameter is not known',
  cursor_mismatch: 'A cursor was used with other filters',
  malformed_json: 'The body was not JSON',
  body_too_large: 'The body was too large',
  headers_too_large: 'Address and headers were too large',
  unsupported_media_type: 'The content type of the body was not supported',
  expectation_failed: 'The header Expect was not supported',
  precondition_failed: 'A condition in the headers was not met',
  range_not_satisfiable: 'The requested range does not exist',
  idempotency_mismatch: 'An idempotency key was used for another request',
  discharge_not_found: 'No such discharge',
  transfer_not_found: 'No such transfer',
  user_not_found: 'No such user',
  transaction_not_found: 'No such transaction',
  account_not_found: 'No such account',
  webhook_not_found: 'No such webhook',
  event_not_found: 'No such event',
  path_not_found: 'No such address',
  method_not_allowed: 'The address does not have this method',
  archived: 'The transaction is archived',
  not_sealed_yet: 'The transaction is not sealed yet',
  record_exists: 'A record with this id exists',
  record_changed: 'The record was changed by somebody else first',
  webhook_limit: 'The guild has the most webhooks that it may have',
  webhook_disabled: 'The webhook is disabled',
  request_timeout: 'The request did not arrive in time',
  overloaded: 'The service was overloaded',
  store_unavailable: 'The service could not answer',
  internal: 'The service failed',
};

/** The reason for refused requests as text; undefined for a code of a newer service. */
export function knownReason(code: string): string | undefined {
  return reasons[code];
}

export function reasonText(code: string): string {
  return knownReason(code) ?? code.replaceAll('_', ' ');
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
