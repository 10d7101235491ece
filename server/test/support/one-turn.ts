/**
 * Goes on in the phase of timers, and from there blocks the thread until `isDone`. The writer's answer then comes
 * within the same turn of the event loop, which is the one moment where a look taken per turn could be stale.
 */
export async function inOneTurn(start: () => void, isDone: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      start();
      while (!isDone()) {
        // The writer works on a thread of its own, so this ends.
      }
      resolve();
    }, 0);
  });
}
