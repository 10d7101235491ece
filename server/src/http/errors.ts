import type { BaseLogger } from 'pino';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { type Answer, toBody } from './answer.ts';

/**
 * The body of an endpoint's errors, a setting of its route: with `success: false` or without. The command list uses
 * `enveloped-but-401`: only its 401 is bare. The newer routes use `coded`, which adds the error's code, and its facts as
 * `data`.
 */
export type ErrorShape = 'enveloped' | 'bare' | 'enveloped-but-401' | 'coded';

interface ReplyRule {
  status: number;
  text: string | ((detail: string) => string);
}

const badRequest = (detail: string): string => `Bad request - ${detail}`;

/** The one place that gives a failure its status and its public text. */
const RULES: Record<ErrorCode, ReplyRule> = {
  missing_parameters: { status: 400, text: 'Bad request - missing required parameters' },
  missing_fields: { status: 400, text: 'Bad request - missing required fields' },
  invalid_input: { status: 400, text: badRequest },
  invalid_category: { status: 400, text: 'Invalid category parameter. Must be a string.' },
  unknown_parameter: { status: 400, text: (detail) => badRequest(`unknown query parameter: ${detail}`) },
  deposit_conflict: {
    status: 400,
    text: 'Explicit deposit flag conflicts with negative amount (potential exploit detected)',
  },
  withdrawal_conflict: {
    status: 400,
    text: 'Explicit withdrawal flag conflicts with positive amount (potential exploit detected)',
  },
  overdraft: { status: 400, text: 'Bad request - the balance does not cover this withdrawal' },
  overdraft_unconfirmed: {
    status: 409,
    text: 'Conflict - the balance would fall below zero, which has to be confirmed',
  },
  insufficient_funds: { status: 409, text: 'Conflict - the balance does not cover this withdrawal' },
  balance_out_of_range: { status: 400, text: 'Bad request - the balance would be out of range' },
  cursor_mismatch: { status: 400, text: 'Bad request - the cursor belongs to a list with other filters' },
  malformed_json: { status: 400, text: 'Bad request - malformed JSON' },
  unauthorized: { status: 401, text: 'Unauthorized - invalid API key' },
  authentication_required: { status: 401, text: 'Unauthorized - authentication required' },
  bot_unauthorized: { status: 401, text: 'Unauthorized - invalid bot token' },
  invalid_signature: { status: 401, text: 'Unauthorized - invalid signature' },
  missing_scope: { status: 403, text: (scope) => `Forbidden - missing required scope: ${scope}` },
  key_limit_exceeded: { status: 403, text: (limit) => `Forbidden - ${limit} of this key` },
  plan_required: { status: 403, text: (detail) => `Forbidden - ${detail}` },
  session_required: { status: 401, text: 'Unauthorized - sign in first' },
  cross_site: { status: 403, text: 'Forbidden - cross-site request' },
  csrf_mismatch: { status: 403, text: 'Forbidden - missing or wrong CSRF token' },
  not_guild_manager: { status: 403, text: 'Forbidden - you do not manage this guild' },
  verifications_fixed: {
    status: 403,
    text: 'Forbidden - verifications are kept by the operator of this service',
  },
  role_required: { status: 403, text: (role) => `Forbidden - this needs the role ${role}` },
  role_not_found: { status: 404, text: 'Role not found' },
  invitation_not_found: {
    status: 404,
    text: 'Invitation not found - it has expired, was used or was withdrawn',
  },
  sign_in_expired: { status: 403, text: 'Forbidden - this sign-in has expired, start again' },
  sign_in_denied: { status: 403, text: 'Forbidden - the sign-in was declined' },
  platform_refused: { status: 403, text: 'Forbidden - the chat platform refused' },
  discharge_not_found: { status: 404, text: 'Discharge not found' },
  transfer_not_found: { status: 404, text: 'Transfer not found' },
  user_not_found: { status: 404, text: 'User not found' },
  transaction_not_found: { status: 404, text: 'Transaction not found' },
  account_not_found: { status: 404, text: 'Account not found' },
  guild_not_found: { status: 404, text: 'Guild not found' },
  key_not_found: { status: 404, text: 'Key not found' },
  webhook_not_found: { status: 404, text: 'Webhook not found' },
  event_not_found: { status: 404, text: 'Event not found' },
  path_not_found: { status: 404, text: 'Not found' },
  method_not_allowed: { status: 405, text: 'Method not allowed' },
  request_timeout: { status: 408, text: 'Request timeout' },
  key_limit: {
    status: 409,
    text: (max) => `Conflict - a guild can have at most ${max} live keys, delete one first`,
  },
  webhook_limit: {
    status: 409,
    text: (max) => `Conflict - a guild can have at most ${max} webhooks, delete one first`,
  },
  board_name_taken: { status: 409, text: 'Conflict - another guild has this name, choose another one' },
  board_name_fixed: { status: 409, text: 'Conflict - the name of a board cannot be changed' },
  webhook_disabled: { status: 409, text: 'Conflict - the webhook is disabled, enable it first' },
  record_exists: { status: 409, text: (kind) => `Conflict - a ${kind} with this id exists` },
  already_reversed: { status: 409, text: 'Conflict - the transaction has been reversed' },
  is_reversal: { status: 409, text: 'Conflict - a reversal cannot be reversed' },
  is_payment: { status: 409, text: 'Conflict - both sides of a payment are reversed together' },
  batch_refused: { status: 409, text: 'Conflict - an item was refused, so nothing was posted' },
  commands_changed: {
    status: 412,
    text: 'Precondition failed - the command catalogue has changed since it was read',
  },
  record_changed: {
    status: 412,
    text: 'Precondition failed - the record has changed since it was read',
  },
  archived: { status: 410, text: (what) => `Gone - ${what === '' ? 'the transaction is archived' : what}` },
  not_sealed_yet: { status: 409, text: 'Conflict - the transaction is not sealed yet, try again shortly' },
  precondition_failed: { status: 412, text: 'Precondition failed' },
  body_too_large: { status: 413, text: 'Payload too large' },
  unsupported_media_type: {
    status: 415,
    text: (type) => `Unsupported media type - send ${type === '' ? 'application/json' : type}`,
  },
  range_not_satisfiable: { status: 416, text: 'Range not satisfiable' },
  expectation_failed: { status: 417, text: 'Expectation failed' },
  idempotency_mismatch: {
    status: 422,
    text: 'Unprocessable - this idempotency key was used with another request',
  },
  rate_limited: { status: 429, text: (limit) => `Too many requests - limit is ${limit}` },
  authentication_throttled: { status: 429, text: 'Too many requests - too many failed authentications' },
  headers_too_large: { status: 431, text: 'Request header fields too large' },
  overloaded: { status: 503, text: 'Service unavailable - overloaded, try again shortly' },
  store_unavailable: { status: 503, text: 'Service unavailable - try again shortly' },
  platform_unavailable: {
    status: 503,
    text: 'Service unavailable - the chat platform does not answer, try again shortly',
  },
  internal: { status: 500, text: 'Internal server error' },
};

/** The status and message of an error, for replies and for the examples in the documentation. */
export function describeError(error: DomainError): { status: number; message: string } {
  const { status, text } = RULES[error.code];
  const message = typeof text === 'string' ? text : text(error.detail ?? '');
  return { status, message: error.item === undefined ? message : `${message} (${error.item})` };
}

/** Anything that is not a refusal is a failure of the service. */
export function toDomainError(thrown: unknown): DomainError {
  return thrown instanceof DomainError ? thrown : new DomainError('internal', { cause: thrown });
}

/** The shape `coded` takes `code` and `data` from `error`. */
export function errorBody(
  shape: ErrorShape,
  status: number,
  message: string,
  error?: Pick<DomainError, 'code' | 'facts'>,
): object {
  if (shape === 'coded' && error !== undefined) {
    const { code, facts } = error;
    return { success: false, message, code, ...(facts && { data: facts }) };
  }
  const isBare = shape === 'bare' || (shape === 'enveloped-but-401' && status === 401);
  return isBare ? { message } : { success: false, message };
}

/**
 * Turns any failure of a request into an answer, and logs failures of the service itself. Nothing of the request or of
 * our internals gets into the body.
 */
export function answerRefusal(
  thrown: unknown,
  shape: ErrorShape,
  { log, requestId }: { log: BaseLogger; requestId: string },
): Answer {
  const error = toDomainError(thrown);
  const { status, message } = describeError(error);
  if (status === 503) {
    // A temporary failure affects many requests at once, so each logs one short line: the cause without a stack.
    log.warn(
      { reqId: requestId, code: error.code, cause: (error.cause as Error | undefined)?.message },
      'request refused',
    );
  } else if (status >= 500) {
    log.error({ reqId: requestId, err: thrown }, 'request failed');
  }
  const { retryAfterSeconds } = error;
  return {
    status,
    body: toBody(JSON.stringify(errorBody(shape, status, message, error))),
    ...(retryAfterSeconds !== undefined && { headers: ['retry-after', String(retryAfterSeconds)] }),
  };
}
