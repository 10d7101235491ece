import { describe } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { startDashboardService } from './dashboard-service.ts';
import { describeKeyRouteLimits } from './key-route-limits-suite.ts';

describe('in memory', () => {
  describeKeyRouteLimits(() => startDashboardService());
});

describe('in Redis', () => {
  describeKeyRouteLimits(async () => startDashboardService({}, { REDIS_URL: (await startRedis()).url }), {
    movesLimiter: false,
  });
});
