import { t } from '@lingui/core/macro';
import type { KeyDay } from '../api/keys.ts';
import { lazily } from '../components/lazily.ts';

const reasons = lazily(
  (): Readonly<Record<string, string>> => ({
    rate_limited: t`Too many requests in a short time`,
    authentication_throttled: t`Too many failed authentications from its address`,
    unauthorized: t`The key was not valid, or not allowed from its address`,
    authentication_required: t`The key was missing`,
    missing_scope: t`A scope was missing`,
    plan_required: t`The plan of the guild does not cover it`,
    key_limit_exceeded: t`Above the limits of the key`,
    deposit_conflict: t`Marked as a deposit, with a negative amount`,
    withdrawal_conflict: t`Marked as a withdrawal, with a positive amount`,
    overdraft: t`The balance did not cover it`,
    overdraft_unconfirmed: t`The balance would have fallen below zero`,
    insufficient_funds: t`The balance did not cover it`,
    balance_out_of_range: t`The balance would have become too large`,
    batch_refused: t`One item of a batch was refused, so none was posted`,
    already_reversed: t`The transaction was reversed before`,
    is_reversal: t`A reversal cannot be reversed`,
    is_payment: t`Both sides of a payment are reversed together`,
    missing_fields: t`Fields were missing`,
    missing_parameters: t`Parameters were missing`,
    invalid_input: t`A field or parameter was not valid`,
    invalid_category: t`The category was not valid`,
    unknown_parameter: t`A parameter is not known`,
    cursor_mismatch: t`A cursor was used with other filters`,
    malformed_json: t`The body was not JSON`,
    body_too_large: t`The body was too large`,
    headers_too_large: t`Address and headers were too large`,
    unsupported_media_type: t`The content type of the body was not supported`,
    expectation_failed: t`The header Expect was not supported`,
    precondition_failed: t`A condition in the headers was not met`,
    range_not_satisfiable: t`The requested range does not exist`,
    idempotency_mismatch: t`An idempotency key was used for another request`,
    discharge_not_found: t`No such discharge`,
    transfer_not_found: t`No such transfer`,
    user_not_found: t`No such user`,
    transaction_not_found: t`No such transaction`,
    account_not_found: t`No such account`,
    webhook_not_found: t`No such webhook`,
    event_not_found: t`No such event`,
    path_not_found: t`No such address`,
    method_not_allowed: t`The address does not have this method`,
    archived: t`The transaction is archived`,
    not_sealed_yet: t`The transaction is not sealed yet`,
    record_exists: t`A record with this id exists`,
    record_changed: t`The record was changed by somebody else first`,
    webhook_limit: t`The guild has the most webhooks that it may have`,
    webhook_disabled: t`The webhook is disabled`,
    request_timeout: t`The request did not arrive in time`,
    overloaded: t`The service was overloaded`,
    store_unavailable: t`The service could not answer`,
    internal: t`The service failed`,
  }),
);

/** The reason for refused requests as text; undefined for a code of a newer service. */
export function knownReason(code: string): string | undefined {
  return reasons()[code];
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
