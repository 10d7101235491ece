import { plural, t } from '@lingui/core/macro';
import { answerWaitMs, apiAddress, readOptions, takeFirst } from './first-answers.ts';
import { loadReader, type Reply, type ReplyName, UnexpectedReply } from './replies.ts';

/** The service refused a request, or did not answer (status 0). */
export class ApiError extends Error {
  readonly status: number;
  /** The service's error code, on routes that send one. */
  readonly code: string | undefined;
  /** The pause before the next attempt that the service asks for. */
  readonly retryAfterMs: number | undefined;
  /** The index of the refused item of a list, from 0, on routes that send one. */
  readonly position: number | undefined;

  constructor(status: number, message: string, options: ApiErrorOptions = {}) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
    this.position = options.position;
  }
}

/** The code of a change that was not sent. */
const notSent = 'not_sent';

interface ApiErrorOptions extends ErrorOptions {
  code?: string | undefined;
  retryAfterMs?: number | undefined;
  position?: number | undefined;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** The session's CSRF token, which every changing request needs. */
  csrfToken?: string;
  /** Makes a post safe to repeat: the service executes the requests with one key only once. */
  idempotencyKey?: string;
  /** The version that is to be changed; the service refuses the request when there is another one. */
  tag?: string;
}

/** Sends a request to the dashboard's own routes and returns the whole answer, checked against its wire schema. */
export async function request<Name extends ReplyName>(
  reply: Name,
  path: string,
  options: RequestOptions = {},
): Promise<Reply<Name>> {
  return (await requestTagged(reply, path, options)).answer;
}

/** The same, with the tag of the answered version, empty when there is none, and whether it repeats an earlier answer. */
export async function requestTagged<Name extends ReplyName>(
  reply: Name,
  path: string,
  options: RequestOptions = {},
): Promise<{ answer: Reply<Name>; tag: string; isReplayed: boolean }> {
  const { method = 'GET', body, csrfToken, idempotencyKey, tag } = options;
  const address = apiAddress(path);
  const reader = loadReader(reply);
  // A change is sent only when its answer can be read.
  if (method === 'GET') reader.catch(() => undefined);
  else await reader.catch(failUnsent);
  const send = () =>
    fetch(address, {
      ...readOptions,
      method,
      headers: {
        ...readOptions.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(tag === undefined ? {} : { 'if-match': tag }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerWaitMs),
    });
  const first = method === 'GET' ? takeFirst(path) : undefined;
  const response = await (first ?? send()).catch(failUnanswered);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
    const text = refusalText(response.status, answer);
    const isLimited = response.status === 429 && retryAfterMs !== undefined;
    const message = isLimited ? t`${text}. Try again in ${inSeconds(retryAfterMs)}.` : text;
    const position = refusalPosition(answer);
    throw new ApiError(response.status, message, { code: refusalCode(answer), retryAfterMs, position });
  }
  const route = `${method} ${address.replace(/\?.*/, '')}`;
  const read = await reader.catch(failIncomplete);
  return {
    answer: read(answer, route),
    tag: response.headers.get('etag') ?? '',
    isReplayed: response.headers.get('idempotency-replayed') === 'true',
  };
}

export function failUnanswered(cause: unknown): never {
  throw new ApiError(0, t`The service does not answer. Check your connection and try again.`, { cause });
}

/** The script that reads the answer is missing: the connection failed, or the service was updated since the page was opened. */
function failUnsent(cause: unknown): never {
  throw new ApiError(
    0,
    t`A part of this page could not be loaded, so nothing was sent. Load the page again.`,
    {
      cause,
      code: notSent,
    },
  );
}

export function failIncomplete(cause: unknown): never {
  throw new ApiError(0, t`A part of this page could not be loaded. Load the page again.`, { cause });
}

/** The service's message. A proxy may have answered instead, without one. */
function refusalText(status: number, answer: unknown): string {
  const hasMessage = typeof answer === 'object' && answer !== null && 'message' in answer;
  return hasMessage && typeof answer.message === 'string' && answer.message !== ''
    ? answer.message
    : t`The service answered with status ${status}.`;
}

function refusalCode(answer: unknown): string | undefined {
  const hasCode = typeof answer === 'object' && answer !== null && 'code' in answer;
  return hasCode && typeof answer.code === 'string' ? answer.code : undefined;
}

function refusalPosition(answer: unknown): number | undefined {
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : undefined;
  const hasPosition = typeof data === 'object' && data !== null && 'position' in data;
  return hasPosition && typeof data.position === 'number' ? data.position : undefined;
}

/** The header is a number of seconds. A date is possible too, but this service never sends one. */
function readRetryAfter(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}

/** A duration as text, rounded up: "1 second", "11 seconds". */
export function inSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return plural(seconds, { one: '# second', other: '# seconds' });
}

/** A retry makes sense only when the request was not decided: there was no answer, or the service failed. */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof UnexpectedReply) return false;
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** True when a change may have been made although it failed here: there was no answer, or an unreadable one. */
export function isUndecided(error: Error): boolean {
  return (
    error instanceof UnexpectedReply ||
    (error instanceof ApiError && error.status === 0 && error.code !== notSent)
  );
}
