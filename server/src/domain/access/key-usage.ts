import { USAGE_DAYS_MAX } from '../../key-terms.ts';
import { createCache } from '../cache.ts';
import { dayOf, HOUR_MS, hourOf } from '../calendar.ts';
import type { ErrorCode } from '../errors.ts';
import type { Actor, KeyUsageCount, KeyUses, Principal, RequestKind } from '../model.ts';
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
const NO_KIND: RequestKind = { route: '', code: ANSWERED };
/** Requests that are counted together. */
const UNCOUNTED_MAX = 256;

/** Collects when keys were used and with which result, and writes it in batches outside of the requests. */
export interface KeyUsage {
  /**
   * Returns a function that counts the requests of a route. They are counted together, at the next flush at the latest, which takes less
   * time than counting each with its answer.
   */
  recorderOf(route: string): CountUse;
  /**
   * Writes the keys that have waited longest. The cost does not depend on the number of requests, and little on the
   * number of keys: all requests of a key since its last write are one count. On failure everything is kept.
   */
  flush(): Promise<void>;
  /** Writes everything; called before the service stops. */
  flushAll(): Promise<void>;
}

export type CountedKey = Pick<Principal, 'keyNo' | 'uses'>;

/** Counts a request, with the error code if it was refused. */
export type CountUse = (key: CountedKey, usedAtMs: number, refusal?: ErrorCode) => void;

export function createKeyUsage(store: KeyStore, clock: Clock): KeyUsage {
  // At most one entry per existing key, in the order of the first use since the last write.
  const waiting = new Map<number, KeyUses>();
  // The last hour of a key that was noted here. Other processes may have noted it, too, which the store knows.
  const noted = createCache<number>(NOTED_MAX);
  const isNew = ({ keyNo, hour }: RefusedHour) => noted.get(String(keyNo)) !== hour;
  // The requests that are not counted yet. The arrays keep their size, so that noting a request allocates nothing.
  const keys = new Array<CountedKey | undefined>(UNCOUNTED_MAX).fill(undefined);
  const kinds = new Array<RequestKind>(UNCOUNTED_MAX).fill(NO_KIND);
  const hours = new Int32Array(UNCOUNTED_MAX);
  const msOfHours = new Int32Array(UNCOUNTED_MAX);
  let uncounted = 0;
  let hour = 0;
  let hourStartMs = 0;

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
      entry.othersUsedAtMs = Math.max(entry.othersUsedAtMs, use.usedAtMs);
      for (const count of use.counts ?? []) {
        add(entry, count);
      }
    }
  }

  function note(key: CountedKey, kind: RequestKind, usedAtMs: number): void {
    if (usedAtMs < hourStartMs || usedAtMs >= hourStartMs + HOUR_MS) {
      hour = hourOf(usedAtMs);
      hourStartMs = hour * HOUR_MS;
    }
    keys[uncounted] = key;
    kinds[uncounted] = kind;
    hours[uncounted] = hour;
    msOfHours[uncounted] = usedAtMs - hourStartMs;
    uncounted += 1;
    if (uncounted === UNCOUNTED_MAX) {
      countAll();
    }
  }

  function countAll(): void {
    for (let index = 0; index < uncounted; index += 1) {
      const key = keys[index];
      if (key !== undefined) {
        count(key, kinds[index] ?? NO_KIND, hours[index] ?? 0, msOfHours[index] ?? 0);
        // A key that was deleted must not stay in memory.
        keys[index] = undefined;
      }
    }
    uncounted = 0;
  }

  function count(key: CountedKey, kind: RequestKind, hourOfUse: number, msOfHour: number): void {
    key.uses ??= waiting.get(key.keyNo) ?? noUses(key.keyNo);
    const uses = key.uses.isWaiting ? key.uses : wait(key.uses);
    if (uses.kind === kind && uses.hour === hourOfUse) {
      uses.count += 1;
      uses.lastMsOfHour = Math.max(uses.lastMsOfHour, msOfHour);
    } else {
      setAside(uses);
      uses.kind = kind;
      uses.hour = hourOfUse;
      uses.count = 1;
      uses.lastMsOfHour = msOfHour;
    }
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
    recorderOf(route) {
      const answered: RequestKind = { route, code: ANSWERED };
      const refused = new Map<ErrorCode, RequestKind>();
      let last = answered;
      const kindOfRefusal = (code: ErrorCode) => {
        if (last.code !== code) {
          last = refused.get(code) ?? { route, code };
          refused.set(code, last);
        }
        return last;
      };
      return (key, usedAtMs, refusal) =>
        note(key, refusal === undefined ? answered : kindOfRefusal(refusal), usedAtMs);
    },
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
  return {
    isWaiting: false,
    kind: NO_KIND,
    hour: 0,
    count: 0,
    lastMsOfHour: 0,
    keyNo,
    others: [],
    othersUsedAtMs: 0,
  };
}

/** Moves the last count to the others. */
function setAside(uses: KeyUses): void {
  const { kind, hour, count, lastMsOfHour } = uses;
  if (count > 0) {
    add(uses, { hour, ...kind, count });
    uses.othersUsedAtMs = Math.max(uses.othersUsedAtMs, hour * HOUR_MS + lastMsOfHour);
    uses.count = 0;
  }
}

/** Takes what is to be written, and leaves none. */
function take(uses: KeyUses): KeyUse {
  setAside(uses);
  const { keyNo, othersUsedAtMs: usedAtMs, others: counts } = uses;
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
