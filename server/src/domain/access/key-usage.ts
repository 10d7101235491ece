import { USAGE_DAYS_MAX } from '../../key-terms.ts';
import { createCache } from '../cache.ts';
import { dayOf, HOUR_MS, hourOf } from '../calendar.ts';
import type { ErrorCode } from '../errors.ts';
import type { Actor, KeyUsageCount } from '../model.ts';
import type { Clock, KeyStore, KeyUse, RefusedHour } from '../ports.ts';

export { USAGE_DAYS_MAX };

/** The code under which requests that were not refused are counted. */
export const ANSWERED = 'ok';

/** When this number of a key's requests is refused in an hour, the audit log and webhooks say so. */
export const REFUSALS_NOTED = 100;

/** The service itself, as the audit log names it. */
const SERVICE: Actor = { kind: 'operator', id: 'keys' };

/** A flush writes at least this number of keys, or all that were used. */
const KEYS_PER_FLUSH_MIN = 1_000;
const NOTED_MAX = 10_000;
/** This number of flushes writes every used key, whatever their number. */
const FLUSHES_PER_ROUND = 30;

/** Collects when keys were used and with which result, and writes it in batches outside of the requests. */
export interface KeyUsage {
  /** Counts a request of a route, with the error code if it was refused. */
  record(keyNo: number, route: string, usedAtMs: number, refusal?: ErrorCode): void;
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
  hour: number;
  /** The counts of the present hour that are not refusals, one for each route. A key uses few routes, so a search is faster than a map. */
  answered: KeyUsageCount[];
  /** Refusals, and counts of earlier hours. Both are rare. */
  others: KeyUsageCount[];
}

export function createKeyUsage(store: KeyStore, clock: Clock): KeyUsage {
  // At most one entry per existing key, in the order of the first use since the last write.
  const pending = new Map<number, Pending>();
  // The last hour of a key that was noted here. Other processes may have noted it, too, which the store knows.
  const noted = createCache<number>(NOTED_MAX);
  const isNew = ({ keyNo, hour }: RefusedHour) => noted.get(String(keyNo)) !== hour;

  function entryOf(keyNo: number, usedAtMs: number): Pending {
    const hour = hourOf(usedAtMs);
    let entry = pending.get(keyNo);
    if (entry === undefined) {
      entry = { usedAtMs, hour, answered: [], others: [] };
      pending.set(keyNo, entry);
    } else if (entry.hour !== hour) {
      for (const count of entry.answered) {
        add(entry, count);
      }
      entry.hour = hour;
      entry.answered = [];
    }
    return entry;
  }

  /** Adds counts that could not be written to those collected in the meantime. */
  function takeBack(uses: readonly KeyUse[]): void {
    for (const { keyNo, usedAtMs, counts = [] } of uses) {
      const entry = pending.get(keyNo) ?? {
        usedAtMs,
        hour: hourOf(usedAtMs),
        answered: [],
        others: [],
      };
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
    const refused = await store.touch(uses).catch((error: unknown) => {
      takeBack(uses);
      throw error;
    });
    for (const hour of refused.filter(isNew)) {
      await store.noteRefusals(hour, { actor: SERVICE, atMs: clock.nowMs() });
      noted.set(String(hour.keyNo), hour.hour);
    }
  }

  return {
    record(keyNo, route, usedAtMs, refusal) {
      const entry = entryOf(keyNo, usedAtMs);
      entry.usedAtMs = Math.max(entry.usedAtMs, usedAtMs);
      if (refusal !== undefined) {
        add(entry, { hour: entry.hour, route, code: refusal, count: 1 });
        return;
      }
      for (const known of entry.answered) {
        if (known.route === route) {
          known.count += 1;
          return;
        }
      }
      entry.answered.push({ hour: entry.hour, route, code: ANSWERED, count: 1 });
    },
    flush: () => write(Math.max(KEYS_PER_FLUSH_MIN, Math.ceil(pending.size / FLUSHES_PER_ROUND))),
    flushAll: () => write(pending.size),
  };
}

function toUse(keyNo: number, { usedAtMs, answered, others }: Pending): KeyUse {
  return { keyNo, usedAtMs, counts: [...others, ...answered] };
}

function add({ others }: Pending, { hour, route, code, count }: KeyUsageCount): void {
  const known = others.find((one) => one.hour === hour && one.route === route && one.code === code);
  if (known === undefined) {
    others.push({ hour, route, code, count });
  } else {
    known.count += count;
  }
}

/** The counts of all routes and hours of a day together, ordered by day and code. */
export function countsByDay(
  counts: readonly KeyUsageCount[],
): { day: number; code: string; count: number }[] {
  const sums = new Map<string, { day: number; code: string; count: number }>();
  for (const { hour, code, count } of counts) {
    const day = dayOf(hour * HOUR_MS);
    const known = sums.get(`${day} ${code}`);
    if (known === undefined) {
      sums.set(`${day} ${code}`, { day, code, count });
    } else {
      known.count += count;
    }
  }
  return [...sums.values()].sort((one, other) => one.day - other.day || (one.code < other.code ? -1 : 1));
}
