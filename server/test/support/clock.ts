import type { Clock } from '../../src/domain/ports.ts';

export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** A clock that stands still until it is moved. */
export function createTestClock(startMs = Date.parse('2026-06-15T12:00:00.000Z')): TestClock {
  let elapsedMs = 0;
  return {
    nowMs: () => startMs + elapsedMs,
    monotonicMs: () => 1_000 + elapsedMs,
    advance(ms) {
      elapsedMs += ms;
    },
  };
}
