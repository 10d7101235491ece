import type { Admission, Clock, RateBucket, RateLimiter } from '../domain/ports.ts';

/**
 * Limit of the times stored for one bucket. Beyond it, subjects that were idle since the last turn are dropped early,
 * so that memory stays bounded.
 */
const MOMENTS_MAX = 1_000_000;

/** The times of the last `limit` admitted requests as a ring buffer: the next slot to write holds the oldest. */
interface AdmissionLog {
  moments: Float64Array;
  next: number;
}

/** A used log moves to `current`, so a log that is in `previous` at a turn was idle for a whole window. */
interface Generations {
  current: Map<string, AdmissionLog>;
  previous: Map<string, AdmissionLog>;
  turnedAtMs: number;
}

/** A limiter that decides synchronously. */
export interface MemoryLimiter extends RateLimiter {
  /** With a share, no window has more than that many requests. It may change from one request to the next. */
  admit(bucket: RateBucket, subject: string, share?: number): Admission;
}

/**
 * An exact limiter in memory. It stores the times of requests, so that no window of the bucket's length contains more
 * than the limit, wherever it begins. The cost of a decision does not depend on the number of requests and subjects.
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
    admit(bucket, subject, share = bucket.limit) {
      const nowMs = clock.monotonicMs();
      return share === 0
        ? { admitted: false, remaining: 0, resetAfterMs: bucket.windowMs }
        : admitAt(logOf(bucket, subject, nowMs), bucket, { nowMs, share });
    },
  };
}

function admitAt(
  log: AdmissionLog,
  bucket: RateBucket,
  { nowMs, share }: { nowMs: number; share: number },
): Admission {
  const { moments } = log;
  const { limit, windowMs } = bucket;
  // Of as many requests as the share, the newest ones.
  const oldestMs = moments[(log.next + limit - share) % limit] ?? Number.NEGATIVE_INFINITY;
  // A request exactly one window later is still within the window: both ends are included.
  if (nowMs - oldestMs <= windowMs) {
    return { admitted: false, remaining: 0, resetAfterMs: remainingMs(oldestMs, windowMs, nowMs) };
  }
  moments[log.next] = nowMs;
  log.next = (log.next + 1) % limit;
  const admission = describe(log, bucket, nowMs);
  return { ...admission, remaining: Math.max(0, admission.remaining - (limit - share)) };
}

/** Searches from the oldest time to the newest for the first one that still counts. */
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

/** Never more than the window, despite rounding errors of fractions. */
function remainingMs(momentMs: number, windowMs: number, nowMs: number): number {
  return Math.min(windowMs, momentMs + windowMs - nowMs);
}
