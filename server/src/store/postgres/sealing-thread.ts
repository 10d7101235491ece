import { DomainError } from '../../domain/errors.ts';
import type { SealDamage, SealGrowth } from '../../domain/seal/seal-store.ts';
import { type Reply, toOutcome } from '../reply.ts';
import type { GrowthInput } from '../seal/growth.ts';
import { createThreadOnDemand } from '../thread-on-demand.ts';

/** Hashing fewer transactions takes the main thread a few milliseconds at most. */
const ROWS_MIN = 256;

export interface SealingThread {
  growSeal(input: GrowthInput, rows: number): Promise<SealGrowth | SealDamage>;
  close(): Promise<void>;
}

export interface SealingThreadOptions {
  /** The store's address, with our own parameters. */
  url: string;
  /** Runs a short job here, on a connection of the store. */
  growHere: (input: GrowthInput) => Promise<SealGrowth | SealDamage>;
  idleMs?: number;
}

/**
 * Reads and hashes transactions that were not sealed yet on a thread of low priority with a connection of its own: posts need the
 * main thread.
 */
export function createSealingThread({ url, growHere, idleMs }: SealingThreadOptions): SealingThread {
  const thread = createThreadOnDemand<GrowthInput, Reply>({
    script: new URL('./sealing.ts', import.meta.url),
    place: url,
    isBackground: true,
    idleMs,
    // The thread replies with every failure.
    onFatal: () => {},
  });
  let isClosed = false;
  return {
    async growSeal(input, rows) {
      if (rows < ROWS_MIN) {
        return growHere(input);
      }
      if (isClosed) {
        throw new DomainError('store_unavailable', { retryAfterSeconds: 1 });
      }
      const outcome = toOutcome(await thread.ask(input));
      if ('error' in outcome) {
        throw outcome.error;
      }
      // The thread runs `growSeal` alone.
      return outcome.value as SealGrowth | SealDamage;
    },
    close() {
      isClosed = true;
      return thread.close();
    },
  };
}
