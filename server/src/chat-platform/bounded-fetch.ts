import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '../domain/errors.ts';

/** Time limit of one request, including the body of its answer. */
export const PLATFORM_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** When the platform asks for a pause of at most this length, the request is repeated once; a longer one fails. */
const PAUSE_SECONDS_MAX = 2;
const RETRY_SECONDS_MAX = 3_600;

/** The part of `fetch` that the OAuth library uses. */
type Fetch = (url: string, options: OAuthRequest) => Promise<Response>;
interface OAuthRequest {
  method: string;
  headers: Record<string, string>;
  /** The library's own type depends on the installed DOM types; the value is a form, or JSON as text. */
  body?: unknown;
  redirect: 'manual';
}

/**
 * A `fetch` that always ends within the time limit and limits the size of the body. It rejects with
 * `platform_unavailable` when the platform is overloaded or broken. Only answers that have a meaning are returned.
 */
export function createBoundedFetch(timeoutMs: number): Fetch {
  async function ask(url: string, options: OAuthRequest): Promise<Response> {
    const signal = AbortSignal.timeout(timeoutMs);
    const { method, headers, redirect } = options;
    // Token requests have a form, requests with JSON a text, all others no body.
    const body = (options.body ?? null) as URLSearchParams | string | null;
    const response = await fetch(url, { method, headers, body, redirect, signal });
    const text = await readBounded(response);
    return new Response(isBodiless(response.status) ? null : text, {
      status: response.status,
      headers: response.headers,
    });
  }

  return async (url, options) => {
    const first = await ask(url, options);
    const pauseSeconds = secondsToWait(first);
    const mayRetry = first.status === 429 && pauseSeconds <= PAUSE_SECONDS_MAX;
    if (mayRetry) {
      await wait(pauseSeconds * 1_000);
    }
    const response = mayRetry ? await ask(url, options) : first;
    if (response.status === 429 || response.status >= 500) {
      throw new DomainError('platform_unavailable', {
        cause: new Error(`status ${response.status}`),
        retryAfterSeconds: Math.ceil(secondsToWait(response)),
      });
    }
    return response;
  };
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) {
      throw new Error('the answer is too large');
    }
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function secondsToWait(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(Math.max(seconds, 0.1), RETRY_SECONDS_MAX) : 5;
}
