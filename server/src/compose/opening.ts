/** Notes how to close what was just opened, should a later step fail. */
export type OnFailure = (close: () => unknown) => void;

/**
 * Runs work that opens one thing after another. When a step fails, everything opened before it is closed, the last one
 * first, and the step's own error is thrown: threads and connections that stay open would keep a failed start alive.
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
        // What failed first is what the caller must hear, and the rest has to be closed all the same.
      }
    }
    throw error;
  }
}
