import type { SendOutcome } from './sending.ts';
import type { Webhook } from './webhook.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses between attempts. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

/** An endpoint that has failed for this long is disabled. */
export const FAILING_MAX_MS = 5 * 24 * HOUR_MS;
/** The longest pause that a receiver can ask for. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * An endpoint that has failed for this long counts against the limit of failing endpoints. After a single failed
 * delivery it does not: its next attempt would wait behind every endpoint that hangs.
 */
export const FAILING_COUNTS_AFTER_MS = MINUTE_MS;

/** True when an endpoint counts against the limit of failing endpoints. `COUNTS_AS_FAILING` has the same rule in SQL. */
export function countsAsFailing({ failingSinceMs }: Pick<Webhook, 'failingSinceMs'>, nowMs: number): boolean {
  return failingSinceMs !== undefined && failingSinceMs + FAILING_COUNTS_AFTER_MS <= nowMs;
}

/** An answer that takes longer than this ends the endpoint's turn. */
const SLOW_MS = 2_000;
/** An endpoint without answers pauses for this part of the time for which it has failed, at most `REST_MAX_MS`. */
const REST_PART = 1 / 4;
const REST_MAX_MS = 60 * SECOND_MS;
/** A chat channel that its platform limits pauses for as long as the platform asks, at most this long. */
const CHAT_REST_MAX_MS = 10 * MINUTE_MS;

/**
 * The pause of an endpoint after an attempt, during which others use its slot. Undefined when the next delivery may
 * follow at once. The first attempt without an answer gives 0: the endpoint waits for its next turn, and then tries
 * the next event.
 */
export function restAfter(
  { kind }: Pick<Webhook, 'kind'>,
  { status, error, durationMs, retryAfterMs }: SendOutcome,
  failingMs: number,
): number | undefined {
  if (kind === 'discord' && status === 429) {
    return Math.min(retryAfterMs ?? RETRY_AFTER_MS[0] ?? 0, CHAT_REST_MAX_MS);
  }
  if (status !== undefined && durationMs <= SLOW_MS) {
    return undefined;
  }
  const restMs = error === undefined ? durationMs : failingMs * REST_PART;
  // Times are stored as whole milliseconds.
  return Math.ceil(Math.min(restMs, REST_MAX_MS));
}

/** The time of the next attempt after `attempts` attempts; undefined when the delivery is given up. */
export function nextAttemptAt(attempts: number, nowMs: number, retryAfterMs = 0): number | undefined {
  const pauseMs = RETRY_AFTER_MS[attempts - 1];
  return pauseMs === undefined
    ? undefined
    : nowMs + Math.max(pauseMs, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}

/** The pause that a `Retry-After` header asks for, in seconds or as a date. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) {
    return undefined;
  }
  if (/^\d+(?:\.\d+)?$/.test(header)) {
    return Math.ceil(Number(header) * SECOND_MS);
  }
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
