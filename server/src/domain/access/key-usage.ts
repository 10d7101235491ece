import { USAGE_DAYS_MAX } from '../../key-terms.ts';
import { createCache } from '../cache.ts';
import { dayOf, HOUR_MS, hourOf } from '../calendar.ts';
import type { ErrorCode } from '../errors.ts';
import type { Actor, KeyUsageCount, KeyUses, Principal } from '../model.ts';
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
/** Requests that are counted together. */
const UNCOUNTED_MAX = 256;

/** Collects when keys were used and with which result, and writes it in batches outside of the requests. */
export interface KeyUsage {
  /**
   * Counts a request of a route, with the error code if it was refused, together with others: at the next flush at the latest. Counting
   * many together takes less time than counting each with its answer.
   */
  note(key: CountedKey, route: string, usedAtMs: number, refusal?: ErrorCode): void;
  /** Counts a request now. */
  record(key: CountedKey, route: string, usedAtMs: number, refusal?: ErrorCode): void;
  /**
   * Writes the keys that have waited longest. The cost does not depend on the number of requests, and little on the
   * number of keys: all requests of a key since its last write are one count. On failure everything is kept.
   */
  flush(): Promise<void>;
  /** Writes everything; called before the service stops. */
  flushAll(): Promise<void>;
}

export type CountedKey = Pick<Principal, 'keyNo' | 'uses'>;

export function createKeyUsage(store: KeyStore, clock: Clock): KeyUsage {
  // At most one entry per existing key, in the order of the first use since the last write.
  const waiting = new Map<number, KeyUses>();
  // The last hour of a key that was noted here. Other processes may have noted it, too, which the store knows.
  const noted = createCache<number>(NOTED_MAX);
  const isNew = ({ keyNo, hour }: RefusedHour) => noted.get(String(keyNo)) !== hour;
  // The requests that are not counted yet. The arrays keep their size, so that noting a request allocates nothing.
  const keys = new Array<CountedKey | undefined>(UNCOUNTED_MAX).fill(undefined);
  const routes = new Array<string>(UNCOUNTED_MAX).fill('');
  const refusals = new Array<ErrorCode | undefined>(UNCOUNTED_MAX).fill(undefined);
  const times = new Float64Array(UNCOUNTED_MAX);
  let uncounted = 0;

  /** Those that wait may be of another copy of the key, which was read from the store at another time. */
  function wait(uses: KeyUses): KeyUses {
    const first = waiting.get(uses.keyNo);
    if (first !== undefined) {
      return first;
    }
    waiting.set(uses.keyNo, uses);
    uses.isWaiting = true;
    return uses;
  }

  /** Adds counts that could not be written to those collected in the meantime. */
  function takeBack(taken: readonly { uses: KeyUses; use: KeyUse }[]): void {
    for (const { uses, use } of taken) {
      const entry = wait(uses);
      entry.usedAtMs = Math.max(entry.usedAtMs, use.usedAtMs);
      for (const count of use.counts ?? []) {
        add(entry, count);
      }
    }
  }

  function record(key: CountedKey, route: string, usedAtMs: number, refusal?: ErrorCode): void {
    key.uses ??= waiting.get(key.keyNo) ?? noUses(key.keyNo);
    const uses = key.uses.isWaiting ? key.uses : wait(key.uses);
    const hour = hourOf(usedAtMs);
    uses.usedAtMs = Math.max(uses.usedAtMs, usedAtMs);
    const code = refusal ?? ANSWERED;
    if (uses.route === route && uses.code === code && uses.hour === hour) {
      uses.count += 1;
    } else {
      setAside(uses);
      uses.route = route;
      uses.code = code;
      uses.hour = hour;
      uses.count = 1;
    }
  }

  function countAll(): void {
    for (let index = 0; index < uncounted; index += 1) {
      const key = keys[index];
      if (key !== undefined) {
        record(key, routes[index] ?? '', times[index] ?? 0, refusals[index]);
        // A key that was deleted must not stay in memory.
        keys[index] = undefined;
      }
    }
    uncounted = 0;
  }

  async function write(keysMax: number): Promise<void> {
    const taken = Array.from(waiting.values().take(keysMax), (uses) => ({ uses, use: take(uses) }));
    if (taken.length === 0) {
      return;
    }
    for (const { use } of taken) {
      waiting.delete(use.keyNo);
    }
    const refused = await store.touch(taken.map(({ use }) => use)).catch((error: unknown) => {
      takeBack(taken);
      throw error;
    });
    for (const hour of refused.filter(isNew)) {
      await store.noteRefusals(hour, { actor: SERVICE, atMs: clock.nowMs() });
      noted.set(String(hour.keyNo), hour.hour);
    }
  }

  return {
    note(key, route, usedAtMs, refusal) {
      keys[uncounted] = key;
      routes[uncounted] = route;
      refusals[uncounted] = refusal;
      times[uncounted] = usedAtMs;
      uncounted += 1;
      if (uncounted === UNCOUNTED_MAX) {
        countAll();
      }
    },
    record,
    flush() {
      countAll();
      return write(Math.max(KEYS_PER_FLUSH_MIN, Math.ceil(waiting.size / FLUSHES_PER_ROUND)));
    },
    flushAll() {
      countAll();
      return write(waiting.size);
    },
  };
}

function noUses(keyNo: number): KeyUses {
  return { keyNo, usedAtMs: 0, hour: 0, route: '', code: ANSWERED, count: 0, others: [], isWaiting: false };
}

/** Moves the last count to the others. */
function setAside(uses: KeyUses): void {
  const { hour, route, code, count } = uses;
  if (count > 0) {
    add(uses, { hour, route, code, count });
    uses.count = 0;
  }
}

/** Takes what is to be written, and leaves none. */
function take(uses: KeyUses): KeyUse {
  setAside(uses);
  const { keyNo, usedAtMs, others: counts } = uses;
  uses.others = [];
  uses.isWaiting = false;
  return { keyNo, usedAtMs, counts };
}

function add({ others }: KeyUses, { hour, route, code, count }: KeyUsageCount): void {
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
