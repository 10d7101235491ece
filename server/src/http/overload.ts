import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DomainError } from '../domain/errors.ts';

/** The event loop must not be blocked for longer than this. */
export const EVENT_LOOP_DELAY_MAX_MS = 1_000;
const SAMPLE_MS = 1_000;
const RESOLUTION_MS = 10;

class Overloaded extends DomainError {
  constructor() {
    super('overloaded', { retryAfterSeconds: 2 });
  }
}

/** Tells whether the event loop is blocked for longer than requests should have to wait. */
export interface OverloadWatch {
  isOverloaded(): boolean;
  stop(): void;
}

/** Looks once a second at how late the event loop was on average since the last look. Without a limit it never is. */
export function watchOverload(delayMaxMs: number): OverloadWatch {
  if (delayMaxMs === 0) {
    return { isOverloaded: () => false, stop() {} };
  }
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let delayMs = 0;
  const timer = setInterval(() => {
    // No sample at all in a whole second means that the loop was blocked throughout.
    delayMs = Number.isNaN(histogram.mean) ? Infinity : histogram.mean / 1e6 - RESOLUTION_MS;
    histogram.reset();
  }, SAMPLE_MS).unref();
  return {
    isOverloaded: () => delayMs > delayMaxMs,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/**
 * A start that took long looks like overload for a moment, and requests are refused meanwhile. So a service is ready only
 * once it has been calm. Later on overload does not count: whoever is refused for it is told to come back, while an
 * instance taken out of service would leave its work to the others.
 */
export function createReadyCheck(
  checkReady: () => Promise<void>,
  isOverloaded: () => boolean,
): () => Promise<void> {
  let hasBeenCalm = false;
  return async () => {
    await checkReady();
    hasBeenCalm ||= !isOverloaded();
    if (!hasBeenCalm) {
      throw new Overloaded();
    }
  };
}
