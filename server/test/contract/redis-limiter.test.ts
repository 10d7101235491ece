import { createClient } from '@redis/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryLimiter } from '../../src/limiter/memory.ts';
import { openRedisLimiter, type RedisLimiter } from '../../src/limiter/redis.ts';
import { untilTrue } from '../support/patience.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { describeLimiter } from './limiter-suite.ts';

/** Where the script finds the test's time, in the form in which Redis tells its own. */
const TEST_TIME = "redis.call('HMGET', 'test-clock', 'seconds', 'micros')";
const BUCKET = { name: 'ledger', limit: 10, windowMs: 1_000 };
const CASES = 150;

let redis: TestRedis;
let control: ReturnType<typeof connectControl>;
let limiter: RedisLimiter | undefined;

const connectControl = (url: string) => createClient({ url, RESP: 2 });

beforeAll(async () => {
  redis = await startRedis();
  control = connectControl(redis.url);
  await control.connect();
});
afterAll(() => {
  limiter?.close();
  control.destroy();
});

/** A limiter on an empty Redis, whose script reads the time that the test has put there. */
async function createLimiter() {
  limiter?.close();
  await control.flushAll();
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  const setMs = async (ms: number) => {
    nowMs = ms;
    const micros = ms * 1_000;
    const fields = { seconds: Math.floor(micros / 1e6), micros: micros % 1e6 };
    await control.hSet('test-clock', fields);
  };
  await setMs(0);
  limiter = await openRedisLimiter({
    url: redis.url,
    local: createMemoryLimiter(clock),
    clock,
    onChange: (change) => expect(change).toEqual({ isReached: true }),
    // What is compared with the model must come from Redis, however busy the machine is.
    onLocal: () => expect.unreachable('Redis was not asked'),
    time: TEST_TIME,
    waitMs: 10_000,
  });
  return { limiter, setMs };
}

describeLimiter('Redis', createLimiter, CASES);

test('when the clock of Redis is set back, nobody is admitted too early and nobody waits longer than a window', async () => {
  const { limiter, setMs } = await createLimiter();
  const admit = () => limiter.admit(BUCKET, 'key-1');
  await setMs(3_600_000);
  for (let request = 0; request < 5; request += 1) {
    await admit();
  }
  await setMs(3_600_400);
  for (let request = 0; request < 5; request += 1) {
    await admit();
  }
  // An hour back: the last admitted request counts as having come just now, and the first as 400 ms before it.
  await setMs(400);
  expect(await admit()).toEqual({ admitted: false, remaining: 0, resetAfterMs: 600 });
  await setMs(1_001);
  expect(await admit()).toEqual({ admitted: true, remaining: 4, resetAfterMs: 399 });
  await setMs(2_001);
  expect((await admit()).remaining).toBe(8);
});

test('a key is one list of bounded length that expires by itself', async () => {
  const { limiter, setMs } = await createLimiter();
  await setMs(1_000);
  for (let request = 0; request < 50; request += 1) {
    await limiter.admit(BUCKET, 'key-1');
  }
  const keys = (await control.keys('guildbook:limit:*')).sort();
  expect(keys).toEqual(['guildbook:limit:ledger:key-1']);
  expect(await control.lLen('guildbook:limit:ledger:key-1')).toBe(10);
  const leftMs = await control.pTTL('guildbook:limit:ledger:key-1');
  expect(leftMs).toBeGreaterThan(BUCKET.windowMs);
  expect(leftMs).toBeLessThanOrEqual(BUCKET.windowMs + 5_000);
});

test('one instance by itself never admits too many, however often Redis goes and comes back empty', async () => {
  const flighty = await startRedis();
  const clock = { nowMs: 5_000 };
  const monotonicMs = () => clock.nowMs;
  const changes: boolean[] = [];
  const limiter = await openRedisLimiter({
    url: flighty.url,
    local: createMemoryLimiter({ monotonicMs }),
    clock: { monotonicMs },
    onChange: ({ isReached }) => changes.push(isReached),
    onLocal: () => {},
  });
  const countAdmitted = async () => {
    let admitted = 0;
    for (let request = 0; request < 12; request += 1) {
      admitted += (await limiter.admit(BUCKET, 'key-1')).admitted ? 1 : 0;
    }
    return admitted;
  };
  expect(await countAdmitted()).toBe(10);
  for (let round = 1; round <= 3; round += 1) {
    await flighty.kill();
    await untilTrue(() => changes.length === 2 * round);
    expect(await countAdmitted()).toBe(0);
    await flighty.start();
    await untilTrue(() => changes.length === 2 * round + 1);
    expect(await countAdmitted()).toBe(0);
  }
  clock.nowMs += 1_001;
  expect(await countAdmitted()).toBe(10);
  expect(changes).toEqual([true, false, true, false, true, false, true]);
  limiter.close();
});

test('a Redis that may only be read counts as out of reach', async () => {
  const replica = await startRedis(['--replicaof', '127.0.0.1', String(redis.port)]);
  const changes: unknown[] = [];
  const limiter = await openRedisLimiter({
    url: replica.url,
    local: createMemoryLimiter({ monotonicMs: () => 0 }),
    clock: { monotonicMs: () => 0 },
    onChange: (change) => changes.push(change),
    onLocal: () => {},
  });
  expect((await limiter.admit(BUCKET, 'key-1')).remaining).toBe(9);
  expect(changes).toEqual([{ isReached: false, reason: expect.stringContaining('READONLY') }]);
  await replica.send('REPLICAOF', 'NO', 'ONE');
  await untilTrue(() => changes.length === 2);
  expect(changes[1]).toEqual({ isReached: true });
  limiter.close();
});
