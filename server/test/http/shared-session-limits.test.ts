import { expect, onTestFinished, test } from 'vitest';
import { SESSION_CHANGES } from '../../src/http/access/person-requests.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { startRedis } from '../support/redis.ts';
import { limitChanges } from '../support/redis-log.ts';
import { startTestService } from '../support/service.ts';
import { startDashboardService } from './dashboard-service.ts';

const PREFERENCES = '/dashboard/api/preferences';
/** Longer than any machine takes for an answer, so that slowness is never taken for a Redis out of reach. */
const PATIENT_MS = 60_000;
const GROUP = 10;

test('with Redis, a person has one limit through all instances', LONG_TEST, async () => {
  const redis = await startRedis();
  const settings = { REDIS_URL: redis.url };
  const first = await startDashboardService({ redisWaitMs: PATIENT_MS }, settings);
  onTestFinished(() => first.stop());
  const second = await startTestService(
    {
      ...first.platform.environment,
      ...settings,
      PUBLIC_URL: first.address,
      DATABASE_URL: `sqlite:${first.file}`,
    },
    { redisWaitMs: PATIENT_MS },
  );
  onTestFinished(() => second.stop());
  const secondAddress = `http://127.0.0.1:${await listenOnFreePort(second.app)}`;
  const isShared = (lines: readonly string[]) => limitChanges(lines).at(-1) === 'shared';
  await untilTrue(() => isShared(first.logLines) && isShared(second.logLines));

  const [memo, olga] = [await first.signIn('memo'), await first.signIn('olga')];
  const changeAt = async (address: string, browser = memo) =>
    (await browser.change('PUT', `${address}${PREFERENCES}`, { density: 'compact' })).status;
  let admitted = 0;
  // Redis uses its own clock, so a slow machine needs a few more requests until the limit is reached.
  await untilTrue(async () => {
    const addresses = Array.from({ length: GROUP }, (_, index) =>
      index % 2 ? secondAddress : first.address,
    );
    const statuses = await Promise.all(addresses.map((address) => changeAt(address)));
    admitted += statuses.filter((status) => status === 200).length;
    return statuses.every((status) => status === 429);
  });
  expect(admitted).toBeGreaterThanOrEqual(SESSION_CHANGES.limit);
  expect(await changeAt(first.address, olga)).toBe(200);
  expect(await changeAt(secondAddress, olga)).toBe(200);
});
