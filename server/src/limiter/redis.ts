import type { Admission, Clock, RateBucket, RateLimiter } from '../domain/ports.ts';
import { admitScript } from './admit-script.ts';
import { type LinkChange, openRedisLink } from './redis-link.ts';

/** A request waits for Redis at most this long, and only the first ones wait: then it is known to be unreachable. */
const WAIT_MS = 50;
/** An idle key is kept this much longer than its times, because the expiry of keys is less precise. */
const KEEP_LONGER_MS = 5_000;

export interface RedisLimiterOptions {
  url: string;
  /** The limiter of this instance alone, used while Redis is unreachable. */
  local: RateLimiter;
  clock: Pick<Clock, 'monotonicMs'>;
  onChange: (change: LinkChange) => void;
  /** Called for each request that was decided without Redis. */
  onLocal: () => void;
  /** Time limit of an answer, if not the default. */
  waitMs?: number | undefined;
  /** The script's clock, if not that of Redis. */
  time?: string;
}

export interface RedisLimiter extends RateLimiter {
  close(): void;
}

/**
 * Common limits for all instances that share a Redis. While it is unreachable each instance limits on its own.
 * Requests admitted by Redis are counted in the local limiter too. After Redis returns, the local limiter is also
 * asked until the requests that it admitted alone have left the window. So a single instance never admits more than
 * the limit, even if Redis fails repeatedly.
 */
export async function openRedisLimiter(options: RedisLimiterOptions): Promise<RedisLimiter> {
  const { url, local, clock, onLocal, time, waitMs = WAIT_MS } = options;
  let decidedAloneAtMs = Number.NEGATIVE_INFINITY;
  const link = await openRedisLink({ url, script: admitScript(time), waitMs, onChange: options.onChange });

  async function decideAlone(bucket: RateBucket, subject: string, own?: Admission): Promise<Admission> {
    decidedAloneAtMs = clock.monotonicMs();
    onLocal();
    return own ?? local.admit(bucket, subject);
  }

  return {
    async admit(bucket, subject) {
      if (!link.isReached) {
        return decideAlone(bucket, subject);
      }
      const isFresh = clock.monotonicMs() - decidedAloneAtMs <= bucket.windowMs;
      const own = isFresh ? await local.admit(bucket, subject) : undefined;
      if (own?.admitted === false) {
        return own;
      }
      let shared: Admission;
      try {
        shared = toAdmission(await link.run(callFor(bucket, subject)));
      } catch {
        // The link has logged the reason once. No request is refused because of it.
        return decideAlone(bucket, subject, own);
      }
      if (shared.admitted && own === undefined) {
        await local.admit(bucket, subject);
      }
      return shared;
    },
    close: () => link.close(),
  };
}

/** One key per bucket and subject, so that it is in one place of a cluster. The encoded name cannot contain a colon. */
function callFor({ name, limit, windowMs }: RateBucket, subject: string) {
  return {
    key: `guildbook:limit:${encodeURIComponent(name)}:${subject}`,
    args: [limit, windowMs * 1_000, windowMs + KEEP_LONGER_MS],
  };
}

function toAdmission([admitted, remaining = 0, resetAfterMicros = 0]: readonly number[]): Admission {
  return { admitted: admitted === 1, remaining, resetAfterMs: resetAfterMicros / 1_000 };
}
