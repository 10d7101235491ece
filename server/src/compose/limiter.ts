import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock, RateLimiter } from '../domain/ports.ts';
import type { Metrics } from '../http/metrics.ts';
import { createMemoryLimiter } from '../limiter/memory.ts';

interface LimiterEnvironment {
  clock: Clock;
  logger: BaseLogger;
  /** Time limit for answers of Redis, if not the default. */
  redisWaitMs?: number;
}

/** With Redis all instances share their limits, without it each has its own. */
export async function createLimiter(
  { redisUrl }: Config,
  { clock, logger, redisWaitMs }: LimiterEnvironment,
  metrics: Metrics,
): Promise<RateLimiter & { close(): void }> {
  const local = createMemoryLimiter(clock);
  if (redisUrl === undefined) {
    return { ...local, close() {} };
  }
  const { openRedisLimiter } = await import('../limiter/redis.ts');
  const { host, pathname } = new URL(redisUrl);
  return openRedisLimiter({
    url: redisUrl,
    local,
    clock,
    waitMs: redisWaitMs,
    onLocal: metrics.recordLocalLimit,
    onChange(change) {
      metrics.recordSharedLimits(change.isReached);
      const redis = `${host}${pathname}`;
      if (change.isReached) {
        logger.info({ redis }, 'rate limits are shared through Redis');
      } else {
        logger.warn({ redis, reason: change.reason }, 'Redis is out of reach: rate limits are local');
      }
    },
  });
}
