import { constants } from 'node:os';

// Whatever a run starts or leaves on disk is entered here at that moment, so that nothing outlives the run, whether it ends
// well, fails, or is stopped by Ctrl-C.

type Undo = () => Promise<void>;

const undos = new Set<Undo>();

/** Enters how something is undone. The function returned does so before the end; calling it twice does no harm. */
export function undoAtEnd(undo: () => unknown): Undo {
  let undoing: Promise<void> | undefined;
  const undoOnce = () => {
    undos.delete(undoOnce);
    undoing ??= Promise.resolve()
      .then(undo)
      .then(() => {});
    return undoing;
  };
  undos.add(undoOnce);
  return undoOnce;
}

/** The last first: a service goes before its database. Entries that the work adds meanwhile are undone as well. */
async function undoAll(kept: ReadonlySet<Undo> = new Set()): Promise<void> {
  const findLast = () => [...undos].findLast((undo) => !kept.has(undo));
  for (let last = findLast(); last !== undefined; last = findLast()) {
    await last().catch((error) => console.error('left something behind:', error));
  }
}

/** Does a part of the work, and undoes the entries of this part at its end, however it ends. */
export async function undoAfter<Result>(part: () => Promise<Result>): Promise<Result> {
  const before = new Set(undos);
  try {
    return await part();
  } finally {
    await undoAll(before);
  }
}

/** Does the work, and undoes what is left of it at its end, however it ends. A second Ctrl-C ends the process at once. */
export async function runAndUndo(work: () => Promise<void>): Promise<void> {
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, async () => {
      isStopped = true;
      console.error(`\n${signal}: stopping what was started ...`);
      await undoAll();
      process.exit(128 + constants.signals[signal]);
    });
  }
  try {
    await work();
  } catch (error) {
    // While servers are being stopped, work on them fails in many ways that say nothing about it.
    if (!isStopped) {
      throw error;
    }
  } finally {
    await undoAll();
  }
}
