import { ApiError, isWorthRetrying } from './request.ts';

/** How often a request is sent again after the service refused it because there were too many. */
const limitedRetriesMax = 3;
/** A refusal that asks for a longer wait is shown to the person instead. */
const waitMsMax = 15_000;
/** Requests that were refused together come again at different moments within this time. */
const spreadMs = 1_000;

/** A request that the service refused because there were too many, and that it will take after a short wait. */
export type RateLimited = ApiError & { retryAfterMs: number };

export function isRateLimited(error: unknown): error is RateLimited {
  return (
    error instanceof ApiError &&
    error.status === 429 &&
    error.retryAfterMs !== undefined &&
    error.retryAfterMs <= waitMsMax
  );
}

export function shouldRetry(failureCount: number, error: Error): boolean {
  return isRateLimited(error) ? failureCount < limitedRetriesMax : failureCount < 1 && isWorthRetrying(error);
}

/** Never sooner than the service asks for. */
export function retryDelayMs(failureCount: number, error: Error): number {
  return isRateLimited(error)
    ? error.retryAfterMs + Math.random() * spreadMs
    : Math.min(1_000 * 2 ** failureCount, 30_000);
}
