import { type ErrorKind, GuildbookError } from './errors.ts';
import type { Settings } from './options.ts';
import { type Answer, parseResponse } from './parse-response.ts';
import { abortedError, type Request, sendRequest } from './send.ts';

const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;

/** Trouble that passes. Everything else would only be refused again. */
const PASSING: readonly ErrorKind[] = ['rate-limited', 'unavailable', 'connection', 'timeout'];

/**
 * Sends a request until it works, until it fails for good, or until attempts or time are used up; then the last
 * failure is thrown. Between attempts it waits as long as the server asked for, and on top of it a random part of a
 * span that doubles each time, so that many clients do not come back all at once.
 */
export async function sendWithRetries(request: Request, settings: Settings): Promise<Answer> {
  const { clock, retries, timeoutMs, attemptTimeoutMs } = settings;
  const deadlineMs = clock.nowMs() + timeoutMs;
  for (let failures = 0; ; failures += 1) {
    if (request.signal?.aborted) {
      throw abortedError(request);
    }
    try {
      const leftMs = deadlineMs - clock.nowMs();
      const answer = await sendRequest(request, settings, Math.min(attemptTimeoutMs, leftMs));
      return parseResponse(answer, request, settings.secret);
    } catch (error) {
      const waitMs = isLost(error, request) ? undefined : waitAfter(error, failures, settings.random);
      if (waitMs === undefined || failures >= retries || clock.nowMs() + waitMs >= deadlineMs) {
        throw error;
      }
      await clock.sleep(waitMs, request.signal);
    }
  }
}

/** Whether the request may have been carried out although there is no answer, and must not be carried out twice. */
function isLost(error: unknown, { isUnrepeatable }: Request): boolean {
  const isWithoutAnswer =
    error instanceof GuildbookError && (error.kind === 'connection' || error.kind === 'timeout');
  return isUnrepeatable === true && isWithoutAnswer;
}

/** Returns true for a failure that may be gone at the next attempt. */
export function isPassing(error: unknown): error is GuildbookError {
  return error instanceof GuildbookError && PASSING.includes(error.kind);
}

/** How long to wait after a failure; undefined when trying again is of no use. */
function waitAfter(error: unknown, failures: number, random: () => number): number | undefined {
  if (!isPassing(error)) {
    return undefined;
  }
  const spanMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** failures);
  return (error.retryAfterMs ?? 0) + random() * spanMs;
}
