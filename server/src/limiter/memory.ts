import type { Admission, Clock, RateBucket, RateLimiter } from '../domain/ports.ts';

/** Moments kept for one bucket. Beyond them, subjects idle since the last turn are forgotten early: memory stays bounded. */
const MOMENTS_MAX = 1_000_000;

/** The moments of the last `limit` admitted requests, as a ring: the next slot to write holds the oldest. */
interface AdmissionLog {
  moments: Float64Array;
  next: number;
}

/** Logs move to `current` when used, so what is left in `previous` at a turn was idle for a whole window. */
interface Generations {
  current: Map<string, AdmissionLog>;
  previous: Map<string, AdmissionLog>;
  turnedAtMs: number;
}

/** A limiter that decides at once. */
export interface MemoryLimiter extends RateLimiter {
  admit(bucket: RateBucket, subject: string): Admission;
}

/**
 * An exact limiter in memory: a log of moments, so that no window of the bucket's length, wherever it begins,
 * holds more than the limit. Admitting costs the same however many requests and subjects there were.
 */
export function createMemoryLimiter(clock: Pick<Clock, 'monotonicMs'>): MemoryLimiter {
  const buckets = new Map<string, Generations>();

  function generationsOf(bucket: RateBucket, nowMs: number): Generations {
    let generations = buckets.get(bucket.name);
    if (generations === undefined) {
      generations = { current: new Map(), previous: new Map(), turnedAtMs: nowMs };
      buckets.set(bucket.name, generations);
    }
    if (
      nowMs - generations.turnedAtMs > bucket.windowMs ||
      generations.current.size * bucket.limit >= MOMENTS_MAX
    ) {
      generations.previous = generations.current;
      generations.current = new Map();
      generations.turnedAtMs = nowMs;
    }
    return generations;
  }

  function logOf(bucket: RateBucket, subject: string, nowMs: number): AdmissionLog {
    const { current, previous } = generationsOf(bucket, nowMs);
    let log = current.get(subject);
    if (log === undefined) {
      log = previous.get(subject) ?? {
        moments: new Float64Array(bucket.limit).fill(Number.NEGATIVE_INFINITY),
        next: 0,
      };
      current.set(subject, log);
    }
    return log;
  }

  return {
    admit(bucket, subject) {
      const nowMs = clock.monotonicMs();
      return admitAt(logOf(bucket, subject, nowMs), bucket, nowMs);
    },
  };
}

function admitAt(log: AdmissionLog, bucket: RateBucket, nowMs: number): Admission {
  const { moments } = log;
  const { limit, windowMs } = bucket;
  const oldestMs = moments[log.next] ?? Number.NEGATIVE_INFINITY;
  // A request exactly one window later still counts as within it: both ends of a window belong to it.
  if (nowMs - oldestMs <= windowMs) {
    return { admitted: false, remaining: 0, resetAfterMs: remainingMs(oldestMs, windowMs, nowMs) };
  }
  moments[log.next] = nowMs;
  log.next = (log.next + 1) % limit;
  return describe(log, bucket, nowMs);
}

/** Walks from the oldest moment to the newest until one still counts. */
function describe(
  { moments, next }: AdmissionLog,
  { limit, windowMs }: RateBucket,
  nowMs: number,
): Admission {
  for (let step = 0; step < limit; step += 1) {
    const momentMs = moments[(next + step) % limit] ?? nowMs;
    if (nowMs - momentMs <= windowMs) {
      return { admitted: true, remaining: step, resetAfterMs: remainingMs(momentMs, windowMs, nowMs) };
    }
  }
  return { admitted: true, remaining: limit, resetAfterMs: 0 };
}

/** Never more than the window, whatever the last bit of a sum of fractions says. */
function remainingMs(momentMs: number, windowMs: number, nowMs: number): number {
  return Math.min(windowMs, momentMs + windowMs - nowMs);
}
