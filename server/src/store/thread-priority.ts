import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** How much later a thread runs than others when all cores are busy, up to 19. */
export type Niceness = number;

/** Requests of people wait for exports. */
export const EXPORT_NICENESS: Niceness = 10;
/** Nobody waits for a seal. */
export const SEAL_NICENESS: Niceness = 19;

/**
 * Lets every other thread of the machine run first when all cores are busy. Linux has a priority for each thread, set
 * by the thread's own id. On other systems, and where it is forbidden, the priority stays as it is.
 */
export function lowerThreadPriority(niceness: Niceness): void {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    // Such as "4711/task/4715". A synchronous call runs on this thread itself.
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, niceness);
  } catch {
    // Without /proc, or in a sandbox. Exports then compete with other requests, which is slower and not wrong.
  }
}
