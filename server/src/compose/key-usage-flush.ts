import type { BaseLogger } from 'pino';
import type { KeyUsage } from '../domain/access/key-usage.ts';

/** Writes key usage down. Trouble with it is told once, until it is over: it is tried again every two seconds. */
export function createUsageFlush(usage: KeyUsage, logger: BaseLogger): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      await usage.flush();
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
