import { t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';

/** How to mend a refused request, by its code. */
const advice = lazily(
  (): Readonly<Record<string, string>> => ({
    rate_limited: t`Send fewer requests, or wait as the header Retry-After says. The client library waits by itself. Many posts fit into one batch.`,
    authentication_throttled: t`Requests with wrong keys come from the same address. Correct or stop that program.`,
    unauthorized: t`If the key has expired, create another one. If its address is not allowed, add the address in the settings of the key.`,
    authentication_required: t`Send the key in the header x-api-key.`,
    missing_scope: t`Scopes of a key are fixed. Create a key that has this scope, and use it instead.`,
    plan_required: t`The operator of the service sets the plan of the guild.`,
    key_limit_exceeded: t`Raise the limit in the settings of the key, or post smaller amounts.`,
    deposit_conflict: t`A deposit needs a positive amount. Correct the amount, or leave the field deposit out.`,
    withdrawal_conflict: t`A withdrawal needs a negative amount. Correct the amount, or leave the field withdrawal out.`,
    overdraft: t`Read the balance first, or allow overdraft in the settings of the guild.`,
    overdraft_unconfirmed: t`Send the request again with the confirmation, if the balance may fall below zero.`,
    insufficient_funds: t`Read the balance first, or allow overdraft in the settings of the guild.`,
    balance_out_of_range: t`The balance would exceed what can be stored exactly. Post a smaller amount.`,
    batch_refused: t`Correct the item that the answer names, and send the whole batch again.`,
    already_reversed: t`Nothing is left to do: the transaction is reversed.`,
    is_reversal: t`Post a new transaction instead.`,
    is_payment: t`Reverse the payment by its paymentId.`,
    missing_fields: t`A transaction needs playerId, name, quantity, amount and source.`,
    missing_parameters: t`The path lacks an id. Check that the variable is not empty in the program.`,
    invalid_input: t`The message names the field and its rule.`,
    invalid_category: t`Send the category once, as text.`,
    unknown_parameter: t`The message names the parameter. Check its spelling in the API reference.`,
    cursor_mismatch: t`Start again at the first page when the filters change.`,
    malformed_json: t`Build the body with a JSON library.`,
    body_too_large: t`Send less in one request: the body of a post has at most 16 KiB. Many posts fit into one batch.`,
    headers_too_large: t`Send fewer headers, or a shorter address.`,
    unsupported_media_type: t`Send the header content-type: application/json.`,
    expectation_failed: t`Leave the header Expect out.`,
    precondition_failed: t`Read the present state, and send the request again with its ETag.`,
    idempotency_mismatch: t`Use a new idempotency key for each new request. Repeat one only with the same body.`,
    discharge_not_found: t`Check the id. Records of other guilds are not found.`,
    transfer_not_found: t`Check the id. Records of other guilds are not found.`,
    user_not_found: t`The person is not verified, or the name is spelled differently.`,
    transaction_not_found: t`Check the id. Transactions of other guilds are not found.`,
    account_not_found: t`The player has no transaction yet.`,
    webhook_not_found: t`The webhook was deleted, or belongs to another guild.`,
    event_not_found: t`The event is too old, or of another guild.`,
    archived: t`The transaction is in the archive of the operator.`,
    not_sealed_yet: t`Send the request again after a second: a new transaction is sealed within seconds.`,
    record_exists: t`Change the existing record with PUT, or use another id.`,
    record_changed: t`Read the record again, and repeat the change.`,
    webhook_limit: t`Delete a webhook first.`,
    webhook_disabled: t`Enable the webhook first.`,
    request_timeout: t`The connection is slow. Send the request again, with the same idempotency key.`,
    overloaded: t`Send the request again after some seconds, with the same idempotency key.`,
    store_unavailable: t`Send the request again after some seconds, with the same idempotency key.`,
    internal: t`Tell the operator of the service the id of the request.`,
  }),
);

/** How to mend a refused request; undefined for a code of a newer service. */
export function adviceFor({ code }: { code: string | null }): string | undefined {
  return code === null ? undefined : advice()[code];
}

/** The page on which the cause is changed. */
interface Remedy {
  page: 'keys' | 'settings' | 'webhooks';
  label: string;
}

const keySettings = lazily((): Remedy => ({ page: 'keys', label: t`Change the key` }));
const guildSettings = lazily((): Remedy => ({ page: 'settings', label: t`Open the guild settings` }));
const webhooks = lazily((): Remedy => ({ page: 'webhooks', label: t`Open the webhooks` }));

const remedies = lazily(
  (): Readonly<Record<string, Remedy>> => ({
    unauthorized: keySettings(),
    authentication_required: keySettings(),
    key_limit_exceeded: keySettings(),
    missing_scope: { page: 'keys', label: t`Create another key` },
    overdraft: guildSettings(),
    insufficient_funds: guildSettings(),
    webhook_limit: webhooks(),
    webhook_disabled: webhooks(),
    webhook_not_found: webhooks(),
  }),
);

/** The page of the guild on which the cause of a refusal is changed, if there is one. */
export function remedyFor({ code }: { code: string | null }): Remedy | undefined {
  return code === null ? undefined : remedies()[code];
}
