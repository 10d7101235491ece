import { setTimeout as pause } from 'node:timers/promises';

/** How long a test waits for something that will happen. Far more than a busy machine needs, so that only a hang ends it. */
export const PATIENCE_MS = 100_000;
/** For tests with many steps that may each have to wait on a busy machine. */
export const LONG_TEST = { timeout: 300_000 };

/** Between the first two looks. Each pause is longer than the one before, so that looking takes no time from what is awaited. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 40;
const GROWTH = 1.5;

/** Waits until the condition holds, and fails when it does not in time. It polls, for conditions that raise no event. */
export async function untilTrue(
  isTrue: () => boolean | Promise<boolean>,
  withinMs = PATIENCE_MS,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  let pauseMs = FIRST_PAUSE_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`not so within ${withinMs} ms: ${isTrue}`);
    }
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  }
}
