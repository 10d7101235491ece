import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createReplicatedPair } from '../postgres/replicated.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, startServer } from '../support/process.ts';
import { expectExactly, startSteadyPosts } from './steady-posts.ts';

const INSTANCES = 3;
const POSTS_PER_SECOND = 60;
const KEYS = 100;
const DATABASE = 'books';
/** The proxy leads to the old primary for 1.2 s more. Connections made meanwhile get no answer for another 5 s. */
const BACK_WITHIN_MS = 8_000;
/** When the proxy ends the sessions, nothing has to wait for that deadline. */
const BACK_SOON_WITHIN_MS = 3_000;

/**
 * Hangs the primary under posts to three instances and promotes its standby. Returns when, after that, each instance
 * acknowledged a post and answered a read.
 */
async function hangUnderPosts(endsSessions: boolean) {
  const pair = await createReplicatedPair({ endsSessions });
  onTestFinished(pair.remove);
  const client = new pg.Client({ connectionString: pair.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${DATABASE}`);
  await client.end();
  const databaseUrl = pair.url(DATABASE);
  const cwd = createFolder();
  const running = await Promise.all(
    Array.from({ length: INSTANCES }, () => startServer({ cwd, env: storeSettings(databaseUrl) })),
  );
  onTestFinished(async () => void (await Promise.all(running.map(({ child }) => endNow(child)))));
  const poster = await createPosterOn(databaseUrl, KEYS);
  const flows = running.map(({ address }, index) =>
    startSteadyPosts([address], poster, POSTS_PER_SECOND, { prefix: `post of ${index}` }),
  );
  await Promise.all(flows.map((flow) => untilTrue(() => flow.acknowledged.length > POSTS_PER_SECOND)));

  await pair.failOverFromHung();
  const promotedMs = performance.now();
  const counts = flows.map(({ acknowledged }) => acknowledged.length);
  const postsMs = Promise.all(
    flows.map(async ({ acknowledged }, index) => {
      await untilTrue(() => acknowledged.length > (counts[index] ?? 0));
      return performance.now() - promotedMs;
    }),
  );
  const readsMs = Promise.all(
    running.map(async ({ address }, index) => {
      const url = `${address}/guild/ledger/p${index}/transactions`;
      const read = () => fetch(url, { headers: { 'x-api-key': poster.keys[index] ?? '' } });
      await untilTrue(async () => (await read()).status === 200);
      return performance.now() - promotedMs;
    }),
  );
  const backMs = { posts: await postsMs, reads: await readsMs };
  await Promise.all(flows.map((flow) => flow.finish()));
  await expectExactly(
    flows.flatMap(({ acknowledged }) => acknowledged),
    { cwd, databaseUrl },
  );
  expect(running.map(({ child }) => child.exitCode)).toEqual(running.map(() => null));
  return backMs;
}

it.each([
  ['that keeps the sessions of the old primary', false, BACK_WITHIN_MS],
  ['that ends the sessions of the old primary', true, BACK_SOON_WITHIN_MS],
])('all instances recover from a hung primary behind a proxy %s', async (name, endsSessions, withinMs) => {
  const { posts, reads } = await hangUnderPosts(endsSessions);
  const rounded = [posts, reads].map((times) => times.map(Math.round).join(', '));
  console.log(`a proxy ${name}: posts back after ${rounded[0]} ms, reads after ${rounded[1]} ms`);
  expect(Math.max(...posts, ...reads)).toBeLessThan(withinMs);
});
