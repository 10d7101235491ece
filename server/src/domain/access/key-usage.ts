import type { KeyStore } from '../ports.ts';

/** Remembers when keys were last used, and writes it down in batches: never on a request's way. */
export interface KeyUsage {
  record(keyNo: number, usedAtMs: number): void;
  /** Writes what was recorded since the last time. On failure it is kept and tried again with the next flush. */
  flush(): Promise<void>;
}

export function createKeyUsage(store: KeyStore): KeyUsage {
  // One entry for each key that exists, at most.
  let pending = new Map<number, number>();
  return {
    record(keyNo, usedAtMs) {
      pending.set(keyNo, Math.max(usedAtMs, pending.get(keyNo) ?? 0));
    },
    async flush() {
      if (pending.size === 0) {
        return;
      }
      const flushing = pending;
      pending = new Map();
      try {
        await store.touch(Array.from(flushing, ([keyNo, usedAtMs]) => ({ keyNo, usedAtMs })));
      } catch (error) {
        for (const [keyNo, usedAtMs] of flushing) {
          pending.set(keyNo, Math.max(usedAtMs, pending.get(keyNo) ?? 0));
        }
        throw error;
      }
    },
  };
}
