import { DomainError } from '../../domain/errors.ts';

/** With less free space a successful write may be the last one, so `check` probes the store. */
const LOW_BYTES = 32 * 1024 * 1024;
/**
 * A store that was full counts as writable again only with this much free space: a small write may fit where a post
 * does not.
 */
const ROOM_BYTES = 1024 * 1024;
/** Each probe is a commit, so the store is probed no more often than this, however often it is checked. */
const PROBE_EVERY_MS = 2_000;

export interface WriteHealthOptions {
  /** Commits a small write, whose outcome is passed to `note` like that of any other write. */
  probe: () => Promise<unknown>;
  /** Free bytes on the store's file system. */
  freeBytes: () => number;
  monotonicMs: () => number;
  /** Called with the reason when the store can no longer be written, and with undefined when it can be written again. */
  onChange: (trouble: string | undefined) => void;
}

export interface WriteHealth {
  /** Takes the outcome of each commit: the reason why nothing could be written, or undefined for a success. */
  note(trouble: string | undefined): void;
  /** Rejects with `store_unavailable` when nothing can be written. */
  check(): Promise<void>;
}

/**
 * Keeps the outcome of the last write, which shows whether the store can be written. Probes with a write of its own
 * only on a disk that was full, to notice that there is space again, and on one that is nearly full.
 */
export function createWriteHealth(options: WriteHealthOptions): WriteHealth {
  const { freeBytes, monotonicMs, onChange } = options;
  let trouble: string | undefined;
  let probe: Promise<unknown> | undefined;
  let probedAtMs = Number.NEGATIVE_INFINITY;

  function note(found: string | undefined): void {
    if (found === undefined && trouble !== undefined && freeBytes() < ROOM_BYTES) {
      return;
    }
    const hasChanged = (found === undefined) !== (trouble === undefined);
    trouble = found;
    if (hasChanged) {
      onChange(trouble);
    }
  }

  function probeSometimes(): Promise<unknown> | undefined {
    if (probe === undefined && monotonicMs() - probedAtMs >= PROBE_EVERY_MS) {
      probe = options.probe().finally(() => {
        probedAtMs = monotonicMs();
        probe = undefined;
      });
    }
    return probe;
  }

  return {
    note,
    async check() {
      if (trouble !== undefined || freeBytes() < LOW_BYTES) {
        await probeSometimes();
      }
      if (trouble !== undefined) {
        throw new DomainError('store_unavailable', { cause: new Error(trouble), retryAfterSeconds: 5 });
      }
    },
  };
}
