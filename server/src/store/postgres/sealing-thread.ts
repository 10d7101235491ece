import { DomainError } from '../../domain/errors.ts';
import type { SealDamage, SealGrowth } from '../../domain/seal/seal-store.ts';
import { type Reply, toOutcome } from '../reply.ts';
import type { GrowthInput } from '../seal/growth.ts';
import { createThreadOnDemand } from '../thread-on-demand.ts';
import type { NotedPost, SealingRequest } from './sealing.ts';

/** Hashing fewer transactions takes the main thread a few milliseconds at most. */
const ROWS_MIN = 256;

/** The thread hashes the posts of a guild for this long after it has sealed the guild. */
const WANTED_MS = 30_000;
/** Posts that wait for the thread. It reads the rows of more. */
const WAITING_MAX = 20_000;

export interface SealingThread {
  /** True for WANTED_MS after `growSeal` sent this guild to the thread. Posts of other guilds are read when they are sealed. */
  isWanted(guildNo: number): boolean;
  /** Sends the posts of one commit to the thread, which then does not read their rows. */
  note(posted: readonly NotedPost[]): void;
  growSeal(input: GrowthInput, rows: number): Promise<SealGrowth | SealDamage>;
  close(): Promise<void>;
}

export interface SealingThreadOptions {
  /** The store's address, with our own parameters. */
  url: string;
  /** Runs a short job here, on a connection of the store. */
  growHere: (input: GrowthInput) => Promise<SealGrowth | SealDamage>;
  idleMs?: number;
  monotonicMs: () => number;
}

/**
 * Reads and hashes transactions that were not sealed yet on a thread of low priority with a connection of its own: posts need the
 * main thread.
 */
export function createSealingThread({
  url,
  growHere,
  idleMs,
  monotonicMs,
}: SealingThreadOptions): SealingThread {
  // In the order of the times.
  const sealedAtMs = new Map<number, number>();
  const thread = createThreadOnDemand<SealingRequest, Reply>({
    script: new URL('./sealing.ts', import.meta.url),
    place: url,
    isBackground: true,
    idleMs,
    // The thread replies with every failure.
    onFatal: () => {},
  });
  let isClosed = false;
  let waiting = 0;

  const isRecent = (atMs: number) => monotonicMs() - atMs < WANTED_MS;

  function noteSealed(guildNo: number): void {
    sealedAtMs.delete(guildNo);
    sealedAtMs.set(guildNo, monotonicMs());
    for (const [oldest, atMs] of sealedAtMs) {
      if (isRecent(atMs)) {
        return;
      }
      sealedAtMs.delete(oldest);
    }
  }

  return {
    isWanted: (guildNo) => !isClosed && isRecent(sealedAtMs.get(guildNo) ?? Number.NEGATIVE_INFINITY),
    note(posted) {
      if (waiting + posted.length > WAITING_MAX) {
        return;
      }
      waiting += posted.length;
      const end = () => {
        waiting -= posted.length;
      };
      // A failure loses only the hashes. The sealer then reads the rows.
      thread.ask({ posted }).then(end, end);
    },
    async growSeal(input, rows) {
      if (rows < ROWS_MIN) {
        return growHere(input);
      }
      if (isClosed) {
        throw new DomainError('store_unavailable', { retryAfterSeconds: 1 });
      }
      noteSealed(input.guildNo);
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
