import { ERROR_CODES, type ErrorCode } from '../../src/domain/errors.ts';
import { ENDPOINTS } from '../../src/http/endpoints.ts';

/** The codes of the routes for keys: those that a route names, and those of every route. */
export const KEY_CODES: ReadonlySet<string> = new Set([
  ...ENDPOINTS.filter(({ access }) => access !== 'bot').flatMap(({ errors }) =>
    errors.map(({ code }) => code),
  ),
  ...['unauthorized', 'missing_scope', 'rate_limited', 'unknown_parameter'],
]);

const sent = 'sent';
const beforeKey = 'refused before the key is read';
const pagesOnly = 'only pages and routes of the dashboard';
const botOnly = "only routes of the operator's bot";

/** Each code is `sent` by a request of a key below, or has a reason why no log of a key has it. */
export const CODES: Readonly<Record<ErrorCode, string>> = {
  missing_parameters: sent,
  missing_fields: sent,
  invalid_input: sent,
  invalid_category: sent,
  not_sealed_yet: sent,
  unknown_parameter: sent,
  deposit_conflict: sent,
  withdrawal_conflict: sent,
  overdraft: sent,
  overdraft_unconfirmed: pagesOnly,
  insufficient_funds: sent,
  balance_out_of_range: sent,
  cursor_mismatch: sent,
  transaction_not_found: sent,
  archived: sent,
  account_not_found: pagesOnly,
  already_reversed: sent,
  is_reversal: sent,
  is_payment: sent,
  batch_refused: sent,
  malformed_json: sent,
  unauthorized: sent,
  authentication_required: sent,
  bot_unauthorized: botOnly,
  invalid_signature: 'only interactions of the chat platform',
  missing_scope: sent,
  plan_required: pagesOnly,
  session_required: pagesOnly,
  cross_site: pagesOnly,
  csrf_mismatch: pagesOnly,
  not_guild_manager: pagesOnly,
  role_required: pagesOnly,
  verifications_fixed: pagesOnly,
  role_not_found: pagesOnly,
  invitation_not_found: pagesOnly,
  board_name_taken: pagesOnly,
  board_name_fixed: pagesOnly,
  key_limit: pagesOnly,
  key_limit_exceeded: sent,
  record_exists: pagesOnly,
  record_changed: sent,
  sign_in_expired: pagesOnly,
  sign_in_denied: pagesOnly,
  platform_refused: pagesOnly,
  platform_unavailable: pagesOnly,
  discharge_not_found: sent,
  transfer_not_found: sent,
  user_not_found: sent,
  commands_changed: botOnly,
  guild_not_found: pagesOnly,
  key_not_found: pagesOnly,
  webhook_not_found: sent,
  event_not_found: sent,
  webhook_limit: sent,
  webhook_disabled: sent,
  path_not_found: beforeKey,
  method_not_allowed: beforeKey,
  body_too_large: sent,
  headers_too_large: beforeKey,
  expectation_failed: beforeKey,
  precondition_failed: pagesOnly,
  range_not_satisfiable: pagesOnly,
  unsupported_media_type: sent,
  idempotency_mismatch: sent,
  rate_limited: sent,
  authentication_throttled: sent,
  request_timeout: sent,
  overloaded: `${beforeKey}; with a key only while 20,000 posts wait, more than a test sends`,
  store_unavailable: sent,
  internal: sent,
};

export const SENT_CODES = ERROR_CODES.filter((code) => CODES[code] === sent);
