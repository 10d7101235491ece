import { dayOf } from '../calendar.ts';
import type { ErrorCode } from '../errors.ts';
import type { KeyUsageCount } from '../model.ts';
import type { KeyStore, KeyUse } from '../ports.ts';

/** For so many days the use of a key is kept, today included. */
export const USAGE_DAYS = 30;

/** What a request that was not refused counts as. */
export const ANSWERED = 'ok';

/** A flush writes at least so many keys, if they were used. */
const KEYS_PER_FLUSH_MIN = 200;
/** So many flushes write every key that was used, however many those are. */
const FLUSHES_PER_ROUND = 30;

/** Remembers when keys were used and how they were answered, and writes it down in batches: never on a request's way. */
export interface KeyUsage {
  /** Counts a request that was answered, or refused with a code. */
  record(keyNo: number, usedAtMs: number, refusal?: ErrorCode): void;
  /**
   * Writes what waits the longest. What a flush costs does not grow with the requests, and little with the keys: a key in
   * constant use is written now and then, and its requests in between as one count. On failure everything is kept.
   */
  flush(): Promise<void>;
  /** Writes all of it, before the service stops. */
  flushAll(): Promise<void>;
}

interface Pending {
  usedAtMs: number;
  day: number;
  answered: number;
  /** What is rare: refusals, and counts of days before. */
  others: KeyUsageCount[];
}

export function createKeyUsage(store: KeyStore): KeyUsage {
  // One entry for each key that exists, at most. The first was used first since it was written.
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

  /** What could not be written counts again, together with what came meanwhile. */
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
