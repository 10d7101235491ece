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

/** Measures whether the event loop is blocked for longer than requests should have to wait. */
export interface OverloadWatch {
  isOverloaded(): boolean;
  stop(): void;
}

/**
 * Computes the average delay of the event loop once a second, multiplied by the share of that second in which this thread
 * was working: other programs or a paused virtual machine delay the loop as well, but refusing requests would not help
 * then. With `delayMaxMs` 0 there is no overload.
 */
export function watchOverload(delayMaxMs: number): OverloadWatch {
  if (delayMaxMs === 0) {
    return { isOverloaded: () => false, stop() {} };
  }
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let isOverloaded = false;
  let last = { atMs: performance.now(), workedMs: threadWorkMs() };
  const timer = setInterval(() => {
    const now = { atMs: performance.now(), workedMs: threadWorkMs() };
    // No measurement at all means that the loop was blocked throughout.
    const delayMs = Number.isNaN(histogram.mean)
      ? now.atMs - last.atMs
      : histogram.mean / 1e6 - RESOLUTION_MS;
    // A share and not a time, because on a busy machine this timer is late as well: in a longer interval even a thread that
    // gets little processor time has worked for long.
    const workedShare = (now.workedMs - last.workedMs) / (now.atMs - last.atMs);
    isOverloaded = delayMs * workedShare > delayMaxMs;
    last = now;
    histogram.reset();
  }, SAMPLE_MS).unref();
  return {
    isOverloaded: () => isOverloaded,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** The processor time of this thread so far. */
function threadWorkMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * A slow start looks like overload for a moment, and requests are refused until it ends. So a service is not ready before
 * its first check without overload. Later overload leaves it ready: refused clients retry, while taking the instance out
 * of service would move its load to the others.
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
