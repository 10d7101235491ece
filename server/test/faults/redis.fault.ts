import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { startServer } from '../support/process.ts';
import { startRedis } from '../support/redis.ts';
import { isEachToldOnce, limitChanges } from '../support/redis-log.ts';
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
