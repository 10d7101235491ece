import { DomainError } from '../errors.ts';
import type { Clock, Store } from '../ports.ts';
import { areEqual } from './bytes.ts';
import { SealError } from './seal-error.ts';
import { originOf, type SealKeys, type SealKeyset } from './seal-keys.ts';
import type { SealBase, SealLog, SealState } from './seal-store.ts';
import { openCheckpoint, signCheckpoint } from './signing.ts';
import { combine, splitHashes } from './tree.ts';

/** Transactions that are hashed before another guild has its turn. */
const BATCH_MAX = 4_096;
/** Guilds whose states are read together. */
const GUILDS_MAX = 1_000;
/** Guilds that one look compares with their ledgers, one after the other over all of them. */
const SWEPT_MAX = 250;
const SWEEP_EVERY_MS = 2_000;
/** Guilds that are sealed at the same time. Writes of the same moment share a commit. */
const AT_ONCE = 8;
/** Other processes leave a guild alone for this long after it was sealed. */
const LEASE_MS = 2_000;
/** States that were checked or written here. For other guilds the signature is checked again. */
const TRUSTED_MAX = 10_000;

/** A log that is not continued, because the store has not what was sealed. */
export interface SealProblem {
  guildId: string;
  reason: string;
}

export interface SealProgress {
  guildId: string;
  /** The number of leaves now, and of transactions that are not sealed yet. */
  size: number;
  behind: number;
}

export interface SealerParts {
  store: Pick<Store, 'seals'>;
  keys: Pick<SealKeys, 'read'>;
  clock: Clock;
  /** The name of this process in leases. */
  holder: string;
  onProblem: (problem: SealProblem) => void;
  onProgress: (progress: SealProgress) => void;
}

/** `failed` is a guild whose server does not answer now. */
type Outcome = 'done' | 'more' | 'held' | 'failed';

const EMPTY = { size: 0, tiled: 0, frontier: new Uint8Array() };

/**
 * Seals the ledgers that grew. Only a state that is in the store is ever shown, and it is written by compare-and-set, so any
 * number of processes may do this at once, and be killed at any moment.
 */
export function createSealer({ store: { seals }, keys, clock, holder, onProblem, onProgress }: SealerParts) {
  const noted = new Set<number>();
  const trusted = new Map<number, { checkpoint: string; size: number; root: Uint8Array }>();
  let sweptNo = 0;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  let walkedFor = Number.NEGATIVE_INFINITY;
  let isSigningAgain = false;

  function trust(guildNo: number, log: SealLog, root: Uint8Array): void {
    trusted.delete(guildNo);
    trusted.set(guildNo, { checkpoint: log.checkpoint, size: log.size, root });
    if (trusted.size > TRUSTED_MAX) {
      // A map keeps its entries in order: the first is the oldest.
      trusted.delete(trusted.keys().next().value ?? guildNo);
    }
  }

  /** Throws a `SealError` unless this store signed the state, and it is not older than one that was seen here. */
  function check({ guildNo, guildId }: SealState, log: SealLog, { name, publicKeys }: SealKeyset): void {
    const known = trusted.get(guildNo);
    const root = Uint8Array.from(combine(splitHashes(log.frontier)));
    if (known?.checkpoint !== log.checkpoint || known.size !== log.size || !areEqual(known.root, root)) {
      const signed = openCheckpoint(log.checkpoint, originOf(name, guildId), publicKeys);
      if (signed.size !== log.size || !areEqual(signed.root, root)) {
        throw new SealError('proof', 'the stored hashes do not lead to the signed root');
      }
      if (log.size < (known?.size ?? 0)) {
        throw new SealError('consistency', `the sealed log has become shorter: it had ${known?.size} leaves`);
      }
      trust(guildNo, log, root);
    }
  }

  async function write(state: SealState, base: SealBase, keyset: SealKeyset): Promise<Outcome> {
    const { guildNo, guildId, lastNumber, log } = state;
    const isBehind = base.firstNumber + base.size <= lastNumber;
    const grown = isBehind
      ? await seals.grow(guildNo, base, { lastNumber, limit: BATCH_MAX })
      : { ...base, tiles: [] };
    if ('damage' in grown) {
      throw new SealError('proof', grown.damage);
    }
    const { tiles, ...after } = grown;
    const root = Uint8Array.from(combine(splitHashes(after.frontier)));
    const head = { origin: originOf(keyset.name, guildId), size: after.size, root };
    const checkpoint = signCheckpoint(head, keyset.signers);
    const nowMs = clock.nowMs();
    // Not before the newest key, so that the log is not signed again for it.
    const sealedAtMs = Math.max(nowMs, keyset.newestCreatedAtMs);
    const isWritten = await seals.advance({
      guildNo,
      before: log ?? EMPTY,
      after: { ...after, checkpoint, sealedAtMs },
      tiles,
      lease: { holder, untilMs: nowMs + LEASE_MS },
    });
    if (isWritten) {
      trust(guildNo, { ...after, checkpoint, sealedAtMs }, root);
    }
    const behind = lastNumber - (after.firstNumber + after.size - 1);
    onProgress({ guildId, size: after.size, behind });
    return behind > 0 || !isWritten ? 'more' : 'done';
  }

  async function sealOne(state: SealState, keyset: SealKeyset): Promise<Outcome> {
    const { guildNo, lastNumber, archivedNumber, log, lease } = state;
    const base = log ?? { ...EMPTY, firstNumber: archivedNumber + 1 };
    const sealed = base.firstNumber + base.size - 1;
    if (log === undefined && trusted.has(guildNo)) {
      throw new SealError('consistency', 'the sealed log is gone');
    }
    if (sealed > lastNumber) {
      throw new SealError('consistency', 'the ledger has become shorter than its sealed log');
    }
    const isSignedByNewest = log === undefined || log.sealedAtMs >= keyset.newestCreatedAtMs;
    if (sealed === lastNumber && isSignedByNewest) {
      return 'done';
    }
    if (lease !== undefined && lease.holder !== holder && lease.untilMs > clock.nowMs()) {
      return 'held';
    }
    if (log !== undefined) {
      check(state, log, keyset);
    }
    return write(state, base, keyset);
  }

  async function tryOne(state: SealState, keyset: SealKeyset): Promise<Outcome> {
    try {
      return await sealOne(state, keyset);
    } catch (error) {
      if (error instanceof DomainError) {
        return 'failed';
      }
      if (!(error instanceof SealError)) {
        throw error;
      }
      onProblem({ guildId: state.guildId, reason: error.message });
      return 'done';
    }
  }

  /** A walk that fails is repeated: guilds of servers that answer must not wait for the others. */
  async function sweep(signedBeforeMs: number) {
    try {
      return await seals.sweep(sweptNo, { limit: SWEPT_MAX, signedBeforeMs });
    } catch (error) {
      if (error instanceof DomainError) {
        return { lastNo: sweptNo, behind: [] };
      }
      throw error;
    }
  }

  /** Notes the guilds that grew, by writes of this process or found by going over all of them. */
  async function collect({ newestCreatedAtMs }: SealKeyset): Promise<void> {
    for (const guildNo of seals.takeGrown(GUILDS_MAX)) {
      noted.add(guildNo);
    }
    if (newestCreatedAtMs !== walkedFor) {
      // There is a new key: all logs are signed again with it.
      [walkedFor, isSigningAgain, sweptNo] = [newestCreatedAtMs, true, 0];
    }
    const nowMs = clock.monotonicMs();
    if (nowMs - sweptAtMs < SWEEP_EVERY_MS) {
      return;
    }
    const { lastNo, behind } = await sweep(isSigningAgain ? newestCreatedAtMs : 0);
    // After an upgrade many guilds are behind: then the next sweep starts at once.
    sweptAtMs = behind.length > 0 ? Number.NEGATIVE_INFINITY : nowMs;
    sweptNo = lastNo ?? 0;
    isSigningAgain &&= lastNo !== undefined;
    for (const guildNo of behind) {
      noted.add(guildNo);
    }
  }

  return {
    /** Seals a batch of each ledger that grew. Resolves to true when there is more to do at once. */
    async look(stop: AbortSignal): Promise<boolean> {
      const keyset = await keys.read();
      if (keyset.signers.length === 0) {
        throw new SealError('key', 'SECRET_KEY does not open the key that seals ledgers');
      }
      await collect(keyset);
      const states = noted.size === 0 ? [] : await seals.states(noted.values().take(GUILDS_MAX).toArray());
      let hasMore = noted.size > GUILDS_MAX;
      const waiting = states.values();
      const work = async () => {
        for (const state of waiting) {
          if (stop.aborted) {
            return;
          }
          const outcome = await tryOne(state, keyset);
          if (outcome !== 'held' && outcome !== 'failed') {
            noted.delete(state.guildNo);
          }
          if (outcome === 'more') {
            // Behind all others that wait.
            noted.add(state.guildNo);
            hasMore = true;
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return hasMore && !stop.aborted;
    },
  };
}

export type Sealer = ReturnType<typeof createSealer>;
