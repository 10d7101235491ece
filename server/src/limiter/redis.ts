import { setTimeout as pause } from 'node:timers/promises';
import type { InstanceStore } from '../domain/access/instances.ts';
import type { Admission, Clock, RateBucket, RateLimiter } from '../domain/ports.ts';
import { admitScript } from './admit-script.ts';
import { createHolding } from './holding.ts';
import type { MemoryLimiter } from './memory.ts';
import { type LinkChange, openRedisLink } from './redis-link.ts';
import { EXACT_WINDOW_MS, openRoster } from './roster.ts';

/** A request waits for Redis at most this long, and only the first ones wait: then it is known to be unreachable. */
const WAIT_MS = 250;
/**
 * How often a request waits for its instance to settle. Usually once; the announcement of a lost Redis may need another try.
 */
const SETTLE_WAITS_MAX = 4;
/** An idle key is kept this much longer than its times, because the expiry of keys is less precise. */
const KEEP_LONGER_MS = 5_000;

export interface RedisLimiterOptions {
  url: string;
  /** The limiter of this instance alone, used while Redis is unreachable. */
  local: MemoryLimiter;
  clock: Clock;
  /** The announcements of the instances that share the limits, and the id of this one. */
  instances: InstanceStore;
  instanceId: string;
  onChange: (change: LinkChange) => void;
  /** Called for each request that was decided without Redis. */
  onLocal: () => void;
  /** Time limit of an answer, if not the default. */
  waitMs?: number | undefined;
  /** The script's clock, if not that of Redis. */
  time?: string;
}

export interface RedisLimiter extends RateLimiter {
  /** Waits until what this instance admitted alone has left the window. */
  close(): Promise<void>;
}

/**
 * Common limits for all instances that share a Redis and a store. An instance that does not reach Redis admits its share of each
 * limit, and the others leave that share to it (see `Roster`). Until they do, requests with a limit per second wait there, for two
 * seconds at most, or until Redis is back. Limits with longer windows are used by share at once, so that more than the limit can be
 * admitted in a window in which Redis was lost.
 *
 * Requests admitted by Redis are counted in the local limiter too. After Redis returns, the local limiter is also asked until the
 * requests that it admitted alone have left the window. So a single instance never admits more than the limit, even if Redis fails
 * repeatedly.
 */
export async function openRedisLimiter(options: RedisLimiterOptions): Promise<RedisLimiter> {
  const { url, local, clock, onLocal, time, waitMs = WAIT_MS } = options;
  const holding = createHolding();
  let decidedAloneAtMs = Number.NEGATIVE_INFINITY;
  let isOut = false;
  const hasDecidedAloneWithin = (ms: number) => clock.monotonicMs() - decidedAloneAtMs <= ms;
  // Opened before the connection: an instance that is apart has to know of this one before it uses Redis.
  const roster = await openRoster({
    store: options.instances,
    clock,
    instanceId: options.instanceId,
    waitMs,
    isApart: () => isOut || hasDecidedAloneWithin(EXACT_WINDOW_MS),
  });
  const link = await openRedisLink({
    url,
    script: admitScript(time),
    waitMs,
    onChange(change) {
      isOut = !change.isReached;
      options.onChange(change);
      void roster.refresh();
      if (change.isReached) {
        holding.releaseAll();
      }
    },
  });

  /** The part of a limit that Redis may give out now. With an outdated list it is no more than this instance's share. */
  async function partOf(limit: number): Promise<number> {
    if (!roster.isFresh()) {
      await roster.refresh();
    }
    if (roster.isFresh()) {
      return roster.sharedPartOf(limit);
    }
    return hasDecidedAloneWithin(EXACT_WINDOW_MS) ? 0 : roster.shareOf(limit);
  }

  /** Undefined when Redis does not answer. The link has logged the reason once. */
  async function askRedis(bucket: RateBucket, subject: string): Promise<Admission | undefined> {
    const { limit, windowMs } = bucket;
    const nowMs = clock.monotonicMs();
    const own = nowMs - decidedAloneAtMs <= windowMs ? local.admit(bucket, subject) : undefined;
    if (own?.admitted === false) {
      return own;
    }
    // Nearly always no instance is apart, which takes two comparisons.
    const part = own === undefined && roster.isShared(nowMs) ? limit : await partOf(limit);
    if (part === 0) {
      return refuse(windowMs);
    }
    try {
      const shared = toAdmission(await link.run(callFor(bucket, subject, part)));
      if (shared.admitted && own === undefined) {
        local.admit(bucket, subject);
      }
      return shared;
    } catch {
      return undefined;
    }
  }

  function decideAlone(bucket: RateBucket, subject: string): Admission {
    decidedAloneAtMs = clock.monotonicMs();
    return local.admit(bucket, subject, roster.shareOf(bucket.limit));
  }

  /** Waits until this instance may use its share, or until Redis is back. Returns the milliseconds that are left. */
  async function settle({ name, limit }: RateBucket, subject: string): Promise<number> {
    for (let waits = 0; waits < SETTLE_WAITS_MAX; waits += 1) {
      if (roster.settlesInMs() === undefined) {
        await roster.refresh();
      }
      const ms = roster.settlesInMs() ?? waitMs;
      const isOver = ms === 0 || link.isReached;
      if (isOver || !(await holding.wait(`${name} ${subject}`, { ms, max: roster.shareOf(limit) }))) {
        return ms;
      }
    }
    return roster.settlesInMs() ?? waitMs;
  }

  return {
    async admit(bucket, subject) {
      const first = link.isReached ? await askRedis(bucket, subject) : undefined;
      if (first !== undefined) {
        return first;
      }
      const leftMs = bucket.windowMs <= EXACT_WINDOW_MS ? await settle(bucket, subject) : 0;
      // Redis may be back by now.
      const second = leftMs > 0 && link.isReached ? await askRedis(bucket, subject) : undefined;
      if (second !== undefined) {
        return second;
      }
      onLocal();
      return leftMs > 0 ? refuse(leftMs) : decideAlone(bucket, subject);
    },
    async close() {
      link.close();
      holding.releaseAll();
      if (hasDecidedAloneWithin(EXACT_WINDOW_MS)) {
        await pause(EXACT_WINDOW_MS);
      }
      await roster.close();
    },
  };
}

function refuse(resetAfterMs: number): Admission {
  return { admitted: false, remaining: 0, resetAfterMs };
}

/** One key per bucket and subject, so that it is in one place of a cluster. The encoded name cannot contain a colon. */
function callFor({ name, windowMs }: RateBucket, subject: string, limit: number) {
  return {
    key: `guildbook:limit:${encodeURIComponent(name)}:${subject}`,
    args: [limit, windowMs * 1_000, windowMs + KEEP_LONGER_MS],
  };
}

function toAdmission([admitted, remaining = 0, resetAfterMicros = 0]: readonly number[]): Admission {
  return { admitted: admitted === 1, remaining, resetAfterMs: resetAfterMicros / 1_000 };
}
