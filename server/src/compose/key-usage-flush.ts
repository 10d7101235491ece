import type { BaseLogger } from 'pino';

/** Writes key usage. A failure is logged once until it is over: the write is repeated every two seconds. */
export function createUsageFlush(logger: BaseLogger): (flush: () => Promise<unknown>) => Promise<void> {
  let isFailing = false;
  return async (flush) => {
    try {
      await flush();
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        const { cause } = error as Error;
        logger.warn(
          { cause: cause instanceof Error ? cause.message : String(error) },
          'key usage not written',
        );
      }
      isFailing = true;
    }
  };
}
