import { OperatorError } from '../domain/errors.ts';

/**
 * Runs work that Ctrl-C or SIGTERM stops: aborts the signal that the work gets, and throws an error that says what is `left`. A second
 * signal ends the process at once, as it would without this.
 */
export async function stoppable<Result>(
  left: string,
  work: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted && !(error instanceof OperatorError)) {
      throw new OperatorError(`stopped: ${left}`, { cause: error });
    }
    throw error;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
