import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '../domain/errors.ts';

/** The whole of one request, its body included. */
export const PLATFORM_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** A platform that asks for a short pause gets it, once; a longer one is the caller's to wait. */
const PAUSE_SECONDS_MAX = 2;
const RETRY_SECONDS_MAX = 3_600;

/** The part of `fetch` that the OAuth library uses. */
type Fetch = (url: string, options: OAuthRequest) => Promise<Response>;
interface OAuthRequest {
  method: string;
  headers: Record<string, string>;
  /** The library's own type for it depends on which DOM types are about; what it sends is a form. */
  body?: unknown;
  redirect: 'manual';
}

/**
 * A `fetch` that always ends: within the time, with a body of bounded size, and with `platform_unavailable` where the
 * platform is overloaded or broken. Only answers that can mean something get through.
 */
export function createBoundedFetch(timeoutMs: number): Fetch {
  async function ask(url: string, options: OAuthRequest): Promise<Response> {
    const signal = AbortSignal.timeout(timeoutMs);
    const { method, headers, redirect } = options;
    // Token requests carry a form, all others nothing.
    const body = (options.body ?? null) as URLSearchParams | null;
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
