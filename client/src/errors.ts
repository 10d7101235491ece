/**
 * The kinds of failure:
 *
 * - `bad-request`: the request is wrong, and would be refused again (400, and other 4xx without a kind of their own)
 * - `overdraft`: the balance does not cover the withdrawal (400, and 409 `insufficient_funds`)
 * - `unauthorized`: the key is missing, mistyped, expired or deleted (401)
 * - `forbidden`: the key lacks the scope (403)
 * - `not-found`: there is no such record in the key's guild (404), or it is archived (410, code `archived`)
 * - `conflict`: the idempotency key belongs to another request (422), the commands or the record were changed in the meantime (412),
 *   or the request conflicts with the stored data (409): see `code`
 * - `rate-limited`: too many requests, and retrying did not help in time (429)
 * - `unavailable`: the service cannot answer now, and retrying did not help in time (503; 502 and 504 of a proxy)
 * - `server-error`: the service failed (500)
 * - `connection`: no connection, or it broke before the answer was complete, at every attempt
 * - `timeout`: no answer in time
 * - `aborted`: the signal was aborted
 * - `unexpected-answer`: not an answer of this interface; most likely `baseUrl` points elsewhere
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

/** Every failure of a call. `message` is the server's own if it sent one. The API key is never part of it. */
export class GuildbookError extends Error {
  readonly kind: ErrorKind;
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Identifies the answer in the server's logs. Include it when you report a problem. */
  readonly requestId: string | undefined;
  /** The pause that the server asked for. */
  readonly retryAfterMs: number | undefined;
  /**
   * The key that a post was sent with. After `connection`, `timeout`, `aborted` or `unexpected-answer` the
   * transaction may have been posted or not: post it again with this key, and it is posted once.
   */
  readonly idempotencyKey: string | undefined;
  /** The server's own code, such as `already_reversed`, if it sent one. */
  readonly code: string | undefined;
  /** Further data of the error, such as the results of a refused batch. */
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
