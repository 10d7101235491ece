import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const NICENESS = 10;

/**
 * Lets every other thread of the machine run first when all cores are busy. Linux has a priority for each thread, set
 * by the thread's own id. On other systems, and where it is forbidden, the priority stays as it is.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    // Such as "4711/task/4715". A synchronous call runs on this thread itself.
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, NICENESS);
  } catch {
    // Without /proc, or in a sandbox. Exports then compete with other requests, which is slower and not wrong.
  }
}
