import type { Clock } from '../domain/ports.ts';

/** A value is used for this long after it was computed. */
const MAX_AGE_MS = 1_000;

/**
 * Shares one computation among all callers: those during it get its result, and so do those in the second after it. However
 * often it is called, at most one computation runs at a time. A failure is given to those who waited for it and is not kept.
 */
export function createRecent<Value>(
  compute: () => Promise<Value>,
  clock: Pick<Clock, 'monotonicMs'>,
): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let untilMs = 0;

  async function computeNext(): Promise<Value> {
    // A pending computation does not expire.
    untilMs = Number.POSITIVE_INFINITY;
    try {
      const value = await compute();
      untilMs = clock.monotonicMs() + MAX_AGE_MS;
      return value;
    } catch (error) {
      latest = undefined;
      throw error;
    }
  }

  return () => {
    if (latest === undefined || clock.monotonicMs() >= untilMs) {
      latest = computeNext();
    }
    return latest;
  };
}
