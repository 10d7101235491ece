import { PATIENCE_MS } from './patience.ts';

/**
 * Calls `start` in the timers phase of the event loop, and then blocks the thread until `isDone`. The writer's answer then
 * comes within the same turn of the event loop, the only time at which a value read once per turn could be stale.
 */
export async function inOneTurn(start: () => void, isDone: () => boolean): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    setTimeout(() => {
      start();
      const deadlineMs = performance.now() + PATIENCE_MS;
      while (!isDone()) {
        // The writer works on a thread of its own, so this ends. A runner that is blocked could not end a test that hangs.
        if (performance.now() > deadlineMs) {
          reject(new Error(`not done within ${PATIENCE_MS} ms: ${isDone}`));
          return;
        }
      }
      resolve();
    }, 0);
  });
}
