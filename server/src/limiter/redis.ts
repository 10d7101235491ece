import type { Admission, Clock, RateBucket, RateLimiter } from '../domain/ports.ts';
import { admitScript } from './admit-script.ts';
import { type LinkChange, openRedisLink } from './redis-link.ts';

/** A request waits this long for Redis at the most, and only the first ones do: then it is known to be out of reach. */
const WAIT_MS = 50;
/** An idle key outlives its moments by this much: its expiry is coarser than they are, and must not come first. */
const KEEP_LONGER_MS = 5_000;

export interface RedisLimiterOptions {
  url: string;
  /** What limits while Redis is out of reach: this instance on its own. */
  local: RateLimiter;
  clock: Pick<Clock, 'monotonicMs'>;
  onChange: (change: LinkChange) => void;
  /** Called for each request that was decided without Redis. */
  onLocal: () => void;
  /** How long an answer may take, when not the usual time. */
  waitMs?: number | undefined;
  /** What the script takes for the present, when not the time of Redis. */
  time?: string;
}

export interface RedisLimiter extends RateLimiter {
  close(): void;
}

/**
 * One limit for all instances that share a Redis. While it is out of reach each instance limits on its own. Whatever
 * Redis admits is noted in the local limiter too, and after a return that one is asked as well until the requests it
 * admitted alone have left the window: so one instance by itself never admits too many, however often Redis comes and
 * goes.
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
        // The link has told why, once. Nobody is refused for it.
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

/** One key for each bucket and subject, so that a cluster finds it in one place. The encoded name cannot hold the colon. */
function callFor({ name, limit, windowMs }: RateBucket, subject: string) {
  return {
    key: `guildbook:limit:${encodeURIComponent(name)}:${subject}`,
    args: [limit, windowMs * 1_000, windowMs + KEEP_LONGER_MS],
  };
}

function toAdmission([admitted, remaining = 0, resetAfterMicros = 0]: readonly number[]): Admission {
  return { admitted: admitted === 1, remaining, resetAfterMs: resetAfterMicros / 1_000 };
}
