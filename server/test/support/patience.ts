import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 5;

/** Waits until it is so, and fails when it does not become so in time. It looks again and again, for want of an event. */
export async function untilTrue(isTrue: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`not so within ${withinMs} ms: ${isTrue}`);
    }
    await pause(LOOK_MS);
  }
}
