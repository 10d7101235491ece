import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, startServer } from '../support/process.ts';
import { startRedis } from '../support/redis.ts';
import { isEachToldOnce, limitChanges } from '../support/redis-log.ts';
import { type SlowProxy, startSlowProxy } from '../support/slow-proxy.ts';
import { type Admitted, listOnce, mostInASecond, startHammer } from './hammer.ts';
import { expectExactly, startSteadyPosts } from './steady-posts.ts';

const INSTANCES = 3;
const PER_SECOND = 200;
const KILLS = 10;
const STOPS = 3;
const STOPPED_MS = 10_000;
/** A request that waited for Redis would take as long as Redis was held still. */
const ANSWER_MS_MAX = STOPPED_MS / 2;
/** It is looked for four times a second; the rest is for a busy machine. */
const BACK_WITHIN_MS = 10_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());

test(`Redis is killed ${KILLS} times and held still for ten seconds ${STOPS} times while ${PER_SECOND} posts a second flow`, async () => {
  const cwd = createFolder();
  const redis = await startRedis();
  const poster = await createPosterOn(database.url, 300);
  const env = { ...storeSettings(database.url), REDIS_URL: redis.url };
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => startServer({ cwd, env })));
  const allAre = (state: 'shared' | 'local') => () =>
    instances.every(({ output }) => limitChanges(output).at(-1) === state);
  const posts = startSteadyPosts(
    instances.map(({ address }) => address),
    poster,
    PER_SECOND,
  );
  const answerMore = async () => {
    const target = posts.acknowledged.length + PER_SECOND / 2;
    await untilTrue(() => posts.acknowledged.length >= target);
  };

  for (let kill = 0; kill < KILLS; kill += 1) {
    await answerMore();
    await redis.kill();
    await untilTrue(allAre('local'));
    await answerMore();
    await redis.start();
    await untilTrue(allAre('shared'), BACK_WITHIN_MS);
  }
  for (let stop = 0; stop < STOPS; stop += 1) {
    await answerMore();
    redis.pause();
    const resumeAtMs = performance.now() + STOPPED_MS;
    await untilTrue(allAre('local'));
    const before = posts.acknowledged.length;
    await untilTrue(() => performance.now() >= resumeAtMs, STOPPED_MS * 2);
    // Posts were answered without waiting for Redis. Otherwise pending posts would reach their maximum in two seconds.
    expect(posts.acknowledged.length - before).toBeGreaterThan((PER_SECOND * STOPPED_MS) / 1_000 / 4);
    redis.resume();
    await untilTrue(allAre('shared'), BACK_WITHIN_MS);
  }
  expect(posts.takeSlowestMs()).toBeLessThan(ANSWER_MS_MAX);
  await posts.finish();

  for (const { output } of instances) {
    const changes = limitChanges(output);
    expect(isEachToldOnce(changes)).toBe(true);
    expect(changes.length).toBeGreaterThanOrEqual(1 + 2 * (KILLS + STOPS));
  }
  for (const { child, ended } of instances) {
    child.kill('SIGTERM');
    expect(await ended).toEqual({ status: 0, signal: null });
  }
  await expectExactly(posts.acknowledged, { cwd, databaseUrl: database.url });
});

const LIMIT = 10;
/** Slower than usual, and still waited for. */
const SLOW_MS = 120;
/** Slower than a request waits. */
const TOO_SLOW_MS = 400;
const JITTER_MS = [0, 100, 200, 240, 260, 300, 500];
/** After this time an instance without Redis uses its share; the rest is for a busy machine. */
const SETTLED_MS = 4_000;

test('Redis is slow, for all instances, for one, and by turns: never more than ten requests of a key in a second', async () => {
  const { instances, keys, proxies } = await startBehindProxies();
  const addresses = instances.map(({ address }) => address);
  const [first, ...rest] = addresses;
  const areAll = (state: 'shared' | 'local', some = instances) =>
    untilTrue(() => some.every(({ output }) => limitChanges(output).at(-1) === state));
  const hammer = startHammer(addresses, keys[0] ?? '');
  /** Those admitted in the time to come. */
  const duringNext = async (ms: number) => {
    const beginMs = performance.now();
    await pause(ms);
    return hammer.admitted.filter(({ sentMs }) => sentMs >= beginMs);
  };
  const countAt = (some: readonly Admitted[], at: readonly (string | undefined)[]) =>
    some.filter(({ address }) => at.includes(address)).length;

  await duringNext(2_000);
  setDelays(proxies, SLOW_MS);
  expect((await duringNext(4_000)).length).toBeGreaterThan(LIMIT);
  await areAll('shared');

  setDelays(proxies, TOO_SLOW_MS);
  await areAll('local');
  await pause(SETTLED_MS);
  const alone = await duringNext(4_000);
  for (const address of addresses) {
    expect(countAt(alone, [address])).toBeGreaterThan(0);
  }
  setDelays(proxies, 0);
  await areAll('shared');
  await duringNext(3_000);

  setDelays(proxies.slice(0, 1), TOO_SLOW_MS);
  await areAll('local', instances.slice(0, 1));
  await pause(SETTLED_MS);
  const apart = await duringNext(4_000);
  expect(countAt(apart, [first])).toBeGreaterThan(0);
  expect(countAt(apart, rest)).toBeGreaterThan(0);
  setDelays(proxies, 0);
  await areAll('shared');

  for (let turn = 0; turn < 50; turn += 1) {
    for (const [index, proxy] of proxies.entries()) {
      proxy.setDelay(JITTER_MS[(turn * (index + 3) + index) % JITTER_MS.length] ?? 0);
    }
    await duringNext(300);
  }
  setDelays(proxies, 0);
  await areAll('shared');
  await duringNext(2_000);
  await hammer.stop();
  expect(mostInASecond(hammer.admitted)).toBeLessThanOrEqual(LIMIT);
});

test('a key that used its whole limit through one instance has nothing left at the others when Redis is lost', async () => {
  const { instances, keys, proxies } = await startBehindProxies();
  for (const key of keys.slice(0, 5)) {
    setDelays(proxies, 0);
    await untilTrue(() => instances.every(({ output }) => limitChanges(output).at(-1) === 'shared'));
    // Redis gives out whole limits again once no instance is apart.
    await pause(SETTLED_MS);
    const [first, ...rest] = instances.map(({ address }) => address);
    const askMany = (address = '') =>
      Promise.all(Array.from({ length: LIMIT }, () => listOnce(address, key)));
    const atFirst = await askMany(first);
    expect(atFirst.filter((one) => one !== undefined)).toHaveLength(LIMIT);
    setDelays(proxies, TOO_SLOW_MS);
    const atOthers = await Promise.all(rest.map(askMany));
    const admitted = [...atFirst, ...atOthers.flat()].filter((one) => one !== undefined);
    expect(mostInASecond(admitted)).toBeLessThanOrEqual(LIMIT);
    // Nobody is refused for good: each of the others has a share.
    expect(admitted.length).toBeGreaterThan(LIMIT);
  }
});

function setDelays(proxies: readonly SlowProxy[], ms: number): void {
  for (const proxy of proxies) {
    proxy.setDelay(ms);
  }
}

/** Three instances, each with a proxy of its own in front of one Redis. */
async function startBehindProxies() {
  const cwd = createFolder();
  const redis = await startRedis();
  const own = await createDatabase();
  onTestFinished(() => own.remove());
  const { keys } = await createPosterOn(own.url, INSTANCES * 2);
  const proxies = await Promise.all(Array.from({ length: INSTANCES }, () => startSlowProxy(redis.port)));
  const instances = await Promise.all(
    proxies.map(({ port }) =>
      startServer({ cwd, env: { ...storeSettings(own.url), REDIS_URL: `redis://127.0.0.1:${port}` } }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(instances.map(({ child }) => endNow(child)));
  });
  await untilTrue(() => instances.every(({ output }) => limitChanges(output).at(-1) === 'shared'));
  return { instances, keys, proxies };
}
