import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock, IdSource, RateLimiter, Store } from '../domain/ports.ts';
import type { Metrics } from '../http/metrics.ts';
import { createMemoryLimiter } from '../limiter/memory.ts';

interface LimiterEnvironment {
  clock: Clock;
  ids: IdSource;
  logger: BaseLogger;
  /** Time limit for answers of Redis, if not the default. */
  redisWaitMs?: number;
}

/** With Redis all instances share their limits, without it each has its own. */
export async function createLimiter(
  { redisUrl }: Config,
  { clock, ids, logger, redisWaitMs }: LimiterEnvironment,
  { metrics, instances }: { metrics: Metrics } & Pick<Store, 'instances'>,
): Promise<RateLimiter & { close(): Promise<void> }> {
  const local = createMemoryLimiter(clock);
  if (redisUrl === undefined) {
    return { ...local, close: async () => {} };
  }
  const { openRedisLimiter } = await import('../limiter/redis.ts');
  const { host, pathname } = new URL(redisUrl);
  return openRedisLimiter({
    url: redisUrl,
    local,
    clock,
    instances,
    instanceId: ids.uuid(),
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
