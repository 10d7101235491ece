import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const NICENESS = 10;

/**
 * Lets every other thread of the machine go first when all cores are busy. Linux knows a priority for each thread, by the
 * thread's own number; elsewhere, and where it is forbidden, the thread goes on as it is.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    // Such as "4711/task/4715": a synchronous call is made by the thread itself.
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, NICENESS);
  } catch {
    // Without /proc, or in a sandbox. Exports then compete with other requests, which is slower and not wrong.
  }
}
