import { ApiError, isWorthRetrying } from './request.ts';

/** The number of retries after the service refused a request because there were too many. */
const limitedRetriesMax = 3;
/** When the service asks for a longer pause, the error is shown instead of retrying. */
const waitMsMax = 15_000;
/** Requests that were refused together are repeated at random moments within this time. */
const spreadMs = 1_000;

/** A request that the service refused because there were too many, and that it will accept after a short pause. */
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

/** Never shorter than the pause that the service asks for. */
export function retryDelayMs(failureCount: number, error: Error): number {
  return isRateLimited(error)
    ? error.retryAfterMs + Math.random() * spreadMs
    : Math.min(1_000 * 2 ** failureCount, 30_000);
}
