import { dayOf } from '../calendar.ts';
import type { ErrorCode } from '../errors.ts';
import type { KeyUsageCount } from '../model.ts';
import type { KeyStore, KeyUse } from '../ports.ts';

/** The use of a key is kept for this number of days, today included. */
export const USAGE_DAYS = 30;

/** The code under which requests that were not refused are counted. */
export const ANSWERED = 'ok';

/** A flush writes at least this number of keys, or all that were used. */
const KEYS_PER_FLUSH_MIN = 200;
/** This number of flushes writes every used key, whatever their number. */
const FLUSHES_PER_ROUND = 30;

/** Collects when keys were used and with which result, and writes it in batches outside of the requests. */
export interface KeyUsage {
  /** Counts a request, with the error code if it was refused. */
  record(keyNo: number, usedAtMs: number, refusal?: ErrorCode): void;
  /**
   * Writes the keys that have waited longest. The cost does not depend on the number of requests, and little on the
   * number of keys: all requests of a key since its last write are one count. On failure everything is kept.
   */
  flush(): Promise<void>;
  /** Writes everything; called before the service stops. */
  flushAll(): Promise<void>;
}

interface Pending {
  usedAtMs: number;
  day: number;
  answered: number;
  /** Refusals, and counts of earlier days. Both are rare. */
  others: KeyUsageCount[];
}

export function createKeyUsage(store: KeyStore): KeyUsage {
  // At most one entry per existing key, in the order of the first use since the last write.
  const pending = new Map<number, Pending>();

  function entryOf(keyNo: number, usedAtMs: number): Pending {
    const day = dayOf(usedAtMs);
    let entry = pending.get(keyNo);
    if (entry === undefined) {
      entry = { usedAtMs, day, answered: 0, others: [] };
      pending.set(keyNo, entry);
    } else if (entry.day !== day) {
      add(entry, { day: entry.day, code: ANSWERED, count: entry.answered });
      entry.day = day;
      entry.answered = 0;
    }
    return entry;
  }

  /** Adds counts that could not be written to those collected in the meantime. */
  function takeBack(uses: readonly KeyUse[]): void {
    for (const { keyNo, usedAtMs, counts = [] } of uses) {
      const entry = pending.get(keyNo) ?? { usedAtMs, day: dayOf(usedAtMs), answered: 0, others: [] };
      entry.usedAtMs = Math.max(entry.usedAtMs, usedAtMs);
      for (const count of counts) {
        add(entry, count);
      }
      pending.set(keyNo, entry);
    }
  }

  async function write(keysMax: number): Promise<void> {
    const uses = Array.from(pending.entries().take(keysMax), ([keyNo, entry]) => toUse(keyNo, entry));
    if (uses.length === 0) {
      return;
    }
    for (const { keyNo } of uses) {
      pending.delete(keyNo);
    }
    try {
      await store.touch(uses);
    } catch (error) {
      takeBack(uses);
      throw error;
    }
  }

  return {
    record(keyNo, usedAtMs, refusal) {
      const entry = entryOf(keyNo, usedAtMs);
      entry.usedAtMs = Math.max(entry.usedAtMs, usedAtMs);
      if (refusal === undefined) {
        entry.answered += 1;
      } else {
        add(entry, { day: entry.day, code: refusal, count: 1 });
      }
    },
    flush: () => write(Math.max(KEYS_PER_FLUSH_MIN, Math.ceil(pending.size / FLUSHES_PER_ROUND))),
    flushAll: () => write(pending.size),
  };
}

function toUse(keyNo: number, { usedAtMs, day, answered, others }: Pending): KeyUse {
  const counts = answered === 0 ? others : [...others, { day, code: ANSWERED, count: answered }];
  return { keyNo, usedAtMs, counts };
}

function add({ others }: Pending, { day, code, count }: KeyUsageCount): void {
  const known = others.find((one) => one.day === day && one.code === code);
  if (known !== undefined) {
    known.count += count;
  } else if (count > 0) {
    others.push({ day, code, count });
  }
}
