import { createClient } from '@redis/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Announcement, InstanceStore } from '../../src/domain/access/instances.ts';
import { createMemoryLimiter } from '../../src/limiter/memory.ts';
import { openRedisLimiter, type RedisLimiter } from '../../src/limiter/redis.ts';
import { depth } from '../support/depth.ts';
import { untilTrue } from '../support/patience.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { describeLimiter } from './limiter-suite.ts';

/** The script's expression for the test's time, with a result in the form of Redis's TIME command. */
const TEST_TIME = "redis.call('HMGET', 'test-clock', 'seconds', 'micros')";
/**
 * Sets that time. Keys expire by the time of Redis itself, which a busy machine lets run ahead of the test's: so those
 * that are there are made to stay.
 */
const SET_TIME = `
redis.call('HSET', 'test-clock', 'seconds', ARGV[1], 'micros', ARGV[2])
for _, key in ipairs(redis.call('KEYS', 'guildbook:limit:*')) do
  redis.call('PERSIST', key)
end`;
const BUCKET = { name: 'ledger', limit: 10, windowMs: 1_000 };
const CASES = depth({ normal: 25, deep: 150 });
/** Longer than any machine takes for an answer, so that slowness is never taken for a Redis out of reach. */
const WAIT_MS = 60_000;

let redis: TestRedis;
let control: ReturnType<typeof connectControl>;
let limiter: RedisLimiter;
let nowMs = 0;
const clock = { monotonicMs: () => nowMs, nowMs: () => nowMs };
let local = createMemoryLimiter(clock);

/** Each limiter of these tests is the only one on its store. */
function oneInstance(instanceId = 'one') {
  const announced = new Map<string, Announcement>();
  const instances: InstanceStore = {
    announce: async (instance) => void announced.set(instance.instanceId, instance),
    list: async () => [...announced.values()],
  };
  return { instances, instanceId };
}

const connectControl = (url: string) => createClient({ url, RESP: 2 });

async function setMs(ms: number): Promise<void> {
  nowMs = ms;
  const micros = ms * 1_000;
  const parts = [Math.floor(micros / 1e6), micros % 1e6];
  await control.eval(SET_TIME, { arguments: parts.map(String) });
}

beforeAll(async () => {
  redis = await startRedis();
  control = connectControl(redis.url);
  await control.connect();
  await setMs(0);
  let isReached = false;
  limiter = await openRedisLimiter({
    url: redis.url,
    local: { admit: (...request) => local.admit(...request) },
    clock,
    ...oneInstance(),
    onChange(change) {
      isReached = change.isReached;
    },
    // Every decision that is compared with the model must come from Redis, however busy the machine is.
    onLocal: () => expect.unreachable('Redis was not asked'),
    time: TEST_TIME,
    waitMs: WAIT_MS,
  });
  await untilTrue(() => isReached);
});
afterAll(() => {
  limiter.close();
  control.destroy();
});

/** The limiter as a new one on an empty Redis, whose script reads the time that the test has put there. */
async function createLimiter() {
  await control.flushAll();
  local = createMemoryLimiter(clock);
  await setMs(0);
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
  const key = 'guildbook:limit:ledger:key-1';
  const beforeMs = await redisTimeMs();
  for (let request = 0; request < BUCKET.limit + 2; request += 1) {
    await limiter.admit(BUCKET, 'key-1');
  }
  // One transaction, so that all three are read at the same moment.
  const [keys, length, expiresAtMs] = await control
    .multi()
    .keys('guildbook:limit:*')
    .lLen(key)
    .pExpireTime(key)
    .exec();
  const afterMs = await redisTimeMs();
  expect(keys).toEqual([key]);
  expect(length).toBe(10);
  expect(expiresAtMs).toBeGreaterThan(beforeMs + BUCKET.windowMs);
  expect(expiresAtMs).toBeLessThanOrEqual(afterMs + BUCKET.windowMs + 5_000);
});

/** The time of Redis itself, by which keys expire. */
async function redisTimeMs(): Promise<number> {
  const [seconds, micros] = (await redis.send('TIME')) as [string, string];
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

test('one instance by itself never admits too many, however often Redis goes and comes back empty', async () => {
  const flighty = await startRedis();
  const clock = { nowMs: 5_000 };
  const monotonicMs = () => clock.nowMs;
  const changes: boolean[] = [];
  const limiter = await openRedisLimiter({
    url: flighty.url,
    local: createMemoryLimiter({ monotonicMs }),
    clock: { monotonicMs, nowMs: monotonicMs },
    ...oneInstance(),
    onChange: ({ isReached }) => changes.push(isReached),
    onLocal: () => {},
    waitMs: WAIT_MS,
  });
  await untilTrue(() => changes.at(-1) === true);
  changes.length = 0;
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
    await untilTrue(() => changes.length === 2 * round - 1);
    expect(await countAdmitted()).toBe(0);
    await flighty.start();
    await untilTrue(() => changes.length === 2 * round);
    expect(await countAdmitted()).toBe(0);
  }
  clock.nowMs += 1_001;
  expect(await countAdmitted()).toBe(10);
  expect(changes).toEqual([false, true, false, true, false, true]);
  limiter.close();
});

test('a Redis that may only be read counts as out of reach', async () => {
  // Nobody listens on port 1: a replica that finds its primary refuses everything for another reason while it loads.
  const replica = await startRedis(['--replicaof', '127.0.0.1', '1']);
  const changes: unknown[] = [];
  const limiter = await openRedisLimiter({
    url: replica.url,
    local: createMemoryLimiter({ monotonicMs: () => 0 }),
    clock: { monotonicMs: () => 0, nowMs: () => 0 },
    ...oneInstance(),
    onChange: (change) => changes.push(change),
    onLocal: () => {},
    waitMs: WAIT_MS,
  });
  expect((await limiter.admit(BUCKET, 'key-1')).remaining).toBe(9);
  expect(changes).toEqual([{ isReached: false, reason: expect.stringContaining('READONLY') }]);
  await replica.send('REPLICAOF', 'NO', 'ONE');
  await untilTrue(() => changes.length === 2);
  expect(changes[1]).toEqual({ isReached: true });
  limiter.close();
});
