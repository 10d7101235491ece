/** Registers a function that closes what was just opened, for the case that a later step fails. */
export type OnFailure = (close: () => unknown) => void;

/**
 * Runs work that opens one thing after another. When a step fails, everything opened before is closed, last one
 * first, and the step's own error is thrown: open threads and connections would keep a failed start alive.
 */
export async function openInSteps<Result>(work: (onFailure: OnFailure) => Promise<Result>): Promise<Result> {
  const closers: (() => unknown)[] = [];
  try {
    return await work((close) => closers.push(close));
  } catch (error) {
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch {
        // Ignored: the caller gets the first error, and the rest must be closed too.
      }
    }
    throw error;
  }
}
