import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withInstances } from '../postgres/instances.ts';
import { startPgBouncer } from '../postgres/pgbouncer.ts';
import { createPosterOn } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { expectExactly, startSteadyPosts } from './steady-posts.ts';

const POSTS_PER_SECOND = 100;
const KEYS = 100;
const CRASHES = 3;
/** Long enough for PgBouncer to fail to connect. */
const STOPPED_MS = 2_000;
const BACK_WITHIN_MS = 3_000;

it('posts through the documented PgBouncer are answered soon after a crash of the server', () =>
  withInstances(
    async ({ server, databaseUrl, addresses, cwd, expectAllAlive }) => {
      const poster = await createPosterOn(databaseUrl, KEYS);
      const posts = startSteadyPosts(addresses, poster, POSTS_PER_SECOND);
      const backMs: number[] = [];
      for (let crash = 0; crash < CRASHES; crash += 1) {
        const before = posts.acknowledged.length;
        await untilTrue(() => posts.acknowledged.length > before + POSTS_PER_SECOND);
        await server.stop('immediate');
        await pause(STOPPED_MS);
        await server.start();
        const [count, startedMs] = [posts.acknowledged.length, performance.now()];
        await untilTrue(() => posts.acknowledged.length > count);
        backMs.push(performance.now() - startedMs);
      }
      await posts.finish();
      console.log(`posts back after ${backMs.map(Math.round).join(', ')} ms`);
      await expectExactly(posts.acknowledged, { cwd, databaseUrl });
      expectAllAlive();
      expect(Math.max(...backMs)).toBeLessThan(BACK_WITHIN_MS);
    },
    async (server, database) => (await startPgBouncer(server.url(database))).url(database),
  ));
