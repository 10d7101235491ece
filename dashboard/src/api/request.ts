import { isRecord, readText } from './read.ts';

const answerWaitMs = 20_000;

/** The service refused a request, or did not answer it at all (status 0). */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
  }
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** Every request that changes something carries the session's token. */
  csrfToken?: string;
  /** Makes a post safe to repeat: the service does only once what it was asked for under one such key. */
  idempotencyKey?: string;
}

/** Sends a request to the dashboard's own routes and returns the whole answer. */
export async function request(path: string, options: RequestOptions = {}): Promise<Record<string, unknown>> {
  const { method = 'GET', body, csrfToken, idempotencyKey } = options;
  const response = await fetch(`/dashboard/api${path}`, {
    method,
    cache: 'no-store',
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerWaitMs),
  }).catch((error) => {
    throw new ApiError(0, 'The service does not answer. Check your connection and try again.', {
      cause: error,
    });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && isRecord(answer)) return answer;
  throw new ApiError(response.status, messageOf(response, answer));
}

function messageOf(response: Response, answer: unknown): string {
  const message = isRecord(answer) ? readText(answer.message) : '';
  if (message !== '') return message;
  if (response.ok) return 'The service gave an answer that cannot be read.';
  return `The service answered with status ${response.status}.`;
}

/** Another attempt may succeed only where nobody has decided yet: no answer, or a fault of the service. */
export function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
