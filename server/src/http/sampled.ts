import type { Clock } from '../domain/ports.ts';

/** A sample is used for this long. */
const EVERY_MS = 15_000;
/** Reading takes at most this share of the time: after a slow sample the next one waits longer. */
const SHARE_MAX = 0.01;
/** A scrape waits this long for a new sample, and uses the last one when there is none by then. */
const WAIT_MS = 500;

/**
 * Reads a figure of the store for those who scrape metrics. However often it is called, the store is asked rarely, and a store
 * that does not answer delays no scrape. Resolves with undefined when the figure could not be read.
 */
export function createSampled<Figure>(
  read: () => Promise<Figure>,
  clock: Pick<Clock, 'monotonicMs'>,
): () => Promise<Figure | undefined> {
  let last: Figure | undefined;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  async function sample(): Promise<void> {
    const startMs = clock.monotonicMs();
    try {
      last = await read();
    } catch {
      // The store's failures are reported where requests meet them; here the series is left out.
      last = undefined;
    }
    const endMs = clock.monotonicMs();
    nextAtMs = endMs + Math.max(EVERY_MS, (endMs - startMs) / SHARE_MAX);
    underWay = undefined;
  }

  return async () => {
    if (underWay === undefined && clock.monotonicMs() >= nextAtMs) {
      underWay = sample();
    }
    if (underWay !== undefined) {
      await inTime(underWay);
    }
    return last;
  };
}

/** The result, or undefined when it takes longer than a scrape waits. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), WAIT_MS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
