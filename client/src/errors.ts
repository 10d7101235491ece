/**
 * What went wrong, as one word to decide by:
 *
 * - `bad-request`: the request is wrong, and would be wrong again (400, and other 4xx without a word of their own)
 * - `overdraft`: the balance does not cover the withdrawal (400, and 409 `insufficient_funds`)
 * - `unauthorized`: the key is missing, mistyped, expired or deleted (401)
 * - `forbidden`: the key lacks the scope (403)
 * - `not-found`: there is no such record in the key's guild (404)
 * - `conflict`: the idempotency key belongs to another request (422), the commands or the record have changed meanwhile (412), or it
 *   conflicts with what is there (409): see `code`
 * - `rate-limited`: too many requests, and retrying did not help in time (429)
 * - `unavailable`: the service cannot answer now, and retrying did not help in time (503; 502 and 504 of a proxy)
 * - `server-error`: something went wrong over there (500)
 * - `connection`: no connection, or it broke before the answer was complete, at every attempt
 * - `timeout`: no answer in time
 * - `aborted`: the signal said so
 * - `unexpected-answer`: not what this interface answers; most likely `baseUrl` points elsewhere
 */
export type ErrorKind =
  | 'bad-request'
  | 'overdraft'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'rate-limited'
  | 'unavailable'
  | 'server-error'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'unexpected-answer';

export interface ErrorFacts {
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  idempotencyKey?: string | undefined;
  code?: string | undefined;
  data?: unknown;
  cause?: unknown;
}

/** Every failure of a call. `message` is the server's own where it sent one. The API key is never part of it. */
export class GuildbookError extends Error {
  readonly kind: ErrorKind;
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Identifies the answer in the server's logs: name it when you report a problem. */
  readonly requestId: string | undefined;
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | undefined;
  /**
   * The key a post was sent with. After `connection`, `timeout`, `aborted` or `unexpected-answer` nobody knows
   * whether the transaction was posted: post it again with this key, and it counts once.
   */
  readonly idempotencyKey: string | undefined;
  /** The server's own code, such as `already_reversed`, where it sent one. */
  readonly code: string | undefined;
  /** What the server told beside it, such as the results of a refused batch. */
  readonly data: unknown;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'GuildbookError';
    this.kind = kind;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.idempotencyKey = facts.idempotencyKey;
    this.code = facts.code;
    this.data = facts.data;
  }
}
