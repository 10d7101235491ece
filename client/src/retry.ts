import { type ErrorKind, GuildbookError } from './errors.ts';
import type { Settings } from './options.ts';
import { type Answer, parseResponse } from './parse-response.ts';
import { abortedError, type Request, sendRequest } from './send.ts';

const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;

/** Temporary failures. A retry of any other failure would fail again. */
const PASSING: readonly ErrorKind[] = ['rate-limited', 'unavailable', 'connection', 'timeout'];

/**
 * Sends a request until it succeeds, fails permanently, or attempts or time are used up; then it throws the last
 * failure. Between attempts it waits for the time that the server asked for plus a random part of a span that doubles
 * each time, so that many clients do not return at once.
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

/** True when the request may have been executed although there is no answer, and must not be executed twice. */
function isLost(error: unknown, { isUnrepeatable }: Request): boolean {
  const isWithoutAnswer =
    error instanceof GuildbookError && (error.kind === 'connection' || error.kind === 'timeout');
  return isUnrepeatable === true && isWithoutAnswer;
}

/** True for a failure that may be gone at the next attempt. */
export function isPassing(error: unknown): error is GuildbookError {
  return error instanceof GuildbookError && PASSING.includes(error.kind);
}

/** The pause after a failure; undefined when a retry is of no use. */
function waitAfter(error: unknown, failures: number, random: () => number): number | undefined {
  if (!isPassing(error)) {
    return undefined;
  }
  const spanMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** failures);
  return (error.retryAfterMs ?? 0) + random() * spanMs;
}
