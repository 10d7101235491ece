/**
 * Codes of all failures that a caller can cause or has to know about. The list is closed: `http/errors.ts` has
 * exactly one status and one text per code, which the compiler checks.
 */
export const ERROR_CODES = [
  'missing_parameters',
  'missing_fields',
  'invalid_input',
  'invalid_category',
  'unknown_parameter',
  'deposit_conflict',
  'withdrawal_conflict',
  'overdraft',
  'overdraft_unconfirmed',
  'insufficient_funds',
  'balance_out_of_range',
  'cursor_mismatch',
  'transaction_not_found',
  'archived',
  'not_sealed_yet',
  'account_not_found',
  'already_reversed',
  'is_reversal',
  'is_payment',
  'batch_refused',
  'malformed_json',
  'unauthorized',
  'authentication_required',
  'bot_unauthorized',
  'invalid_signature',
  'missing_scope',
  'plan_required',
  'session_required',
  'cross_site',
  'csrf_mismatch',
  'not_guild_manager',
  'role_required',
  'verifications_fixed',
  'role_not_found',
  'invitation_not_found',
  'key_limit',
  'key_limit_exceeded',
  'record_exists',
  'record_changed',
  'sign_in_expired',
  'sign_in_denied',
  'platform_refused',
  'platform_unavailable',
  'discharge_not_found',
  'transfer_not_found',
  'user_not_found',
  'commands_changed',
  'guild_not_found',
  'key_not_found',
  'webhook_not_found',
  'event_not_found',
  'board_name_taken',
  'board_name_fixed',
  'webhook_limit',
  'webhook_disabled',
  'path_not_found',
  'method_not_allowed',
  'body_too_large',
  'headers_too_large',
  'expectation_failed',
  'precondition_failed',
  'range_not_satisfiable',
  'unsupported_media_type',
  'idempotency_mismatch',
  'rate_limited',
  'authentication_throttled',
  'request_timeout',
  'overloaded',
  'store_unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface DomainErrorOptions {
  /** The variable part of the public text, such as the field and the rule it broke. Never input. */
  detail?: string;
  /** The refused item of a list in the request, such as `transactionIds[2]`. The public text ends with it. */
  item?: string;
  retryAfterSeconds?: number;
  facts?: ErrorFacts;
  cause?: unknown;
}

/** Fields of an error answer besides code and text. */
export interface ErrorFacts {
  /** The transaction that made the request fail. */
  transactionId?: string;
  /** The index of the refused transaction in its group, from 0. */
  position?: number;
}

/** A failure that only the operator can fix. The message is written for the command line and says what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/**
 * An expected failure. `message` is for logs and the command line; the HTTP layer chooses the public text. Only
 * `internal` has a stack trace: the other codes already say where they come from, and a trace costs more than
 * answering the request.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly item: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly facts: ErrorFacts | undefined;

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    const message = options.detail === undefined ? code : `${code}: ${options.detail}`;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = code === 'internal' ? stackTraceLimit : 0;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'DomainError';
    this.code = code;
    this.detail = options.detail;
    this.item = options.item;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts;
  }
}
