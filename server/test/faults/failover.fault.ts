import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createReplicatedPair } from '../postgres/replicated.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, startServer } from '../support/process.ts';
import { expectExactly, startSteadyPosts } from './steady-posts.ts';

const FAILOVERS = 5;
const POSTS_PER_SECOND = 500;
const KEYS = 300;
const INSTANCES = 3;
/** How soon after the promotion a post must be answered again. */
const BACK_WITHIN_MS = 5_000;
const DATABASE = 'books';

it(`nothing acknowledged is lost or doubled when the primary is killed and its standby promoted ${FAILOVERS} times`, async () => {
  const pair = await createReplicatedPair();
  onTestFinished(pair.remove);
  const client = new pg.Client({ connectionString: pair.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${DATABASE}`);
  await client.end();
  const databaseUrl = pair.url(DATABASE);
  const cwd = createFolder();
  const env = storeSettings(databaseUrl);
  const running = await Promise.all(Array.from({ length: INSTANCES }, () => startServer({ cwd, env })));
  onTestFinished(async () => void (await Promise.all(running.map(({ child }) => endNow(child)))));
  const poster = await createPosterOn(databaseUrl, KEYS);
  const posts = startSteadyPosts(
    running.map(({ address }) => address),
    poster,
    POSTS_PER_SECOND,
  );
  const someMore = async () => {
    const count = posts.acknowledged.length;
    await untilTrue(() => posts.acknowledged.length > count + POSTS_PER_SECOND);
  };
  const backAfterMs: number[] = [];
  await someMore();
  for (let failover = 0; failover < FAILOVERS; failover += 1) {
    await pair.failOver();
    const [count, promotedMs] = [posts.acknowledged.length, performance.now()];
    await untilTrue(() => posts.acknowledged.length > count);
    backAfterMs.push(performance.now() - promotedMs);
    await pair.repair();
    await someMore();
    expect(running.map(({ child }) => child.exitCode)).toEqual(running.map(() => null));
  }
  await posts.finish();
  console.log(`${posts.acknowledged.length} posts, back after ${backAfterMs.map(Math.round).join(', ')} ms`);
  await expectExactly(posts.acknowledged, { cwd, databaseUrl });
  expect(Math.max(...backAfterMs)).toBeLessThan(BACK_WITHIN_MS);
});
