import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { expect } from 'vitest';
import { expectExactly, startSteadyPosts } from '../faults/steady-posts.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, type PlannedPost, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { type ServerProcess, startServer } from '../support/process.ts';
import { createPostgresServer, type PostgresServer } from './server.ts';

const INSTANCES = 3;
const KEYS_MAX = 300;
/** A key may post so often a second. */
const POSTS_PER_KEY = 10;
const DATABASE = 'books';

export interface Instances {
  server: PostgresServer;
  databaseUrl: string;
  addresses: string[];
  cwd: string;
  query(sql: string): Promise<Record<string, string>[]>;
  /** The processes, in the order of their addresses. */
  processes: readonly ChildProcess[];
  /** Every process that was started still runs. */
  expectAllAlive(): void;
}

/** The address at which the instances find a database of the server. */
export type Route = (server: PostgresServer, database: string) => string | Promise<string>;

const DIRECTLY: Route = (server, database) => server.url(database);

/** Three instances of the program on a server of their own, for as long as the work lasts. */
export async function withInstances(
  work: (instances: Instances) => Promise<void>,
  route = DIRECTLY,
): Promise<void> {
  const server = await createPostgresServer({ settings: ['deadlock_timeout=100ms'] });
  const running: ServerProcess[] = [];
  const query = async (sql: string, database = DATABASE) => {
    const client = new pg.Client({ connectionString: server.url(database) });
    await client.connect();
    const { rows } = await client.query(sql).finally(() => client.end());
    return rows;
  };
  try {
    await query(`CREATE DATABASE ${DATABASE}`, 'postgres');
    const databaseUrl = await route(server, DATABASE);
    const cwd = createFolder();
    const env = storeSettings(databaseUrl);
    // All at once, on an empty database.
    running.push(...(await Promise.all(Array.from({ length: INSTANCES }, () => startServer({ cwd, env })))));
    await work({
      server,
      databaseUrl,
      addresses: running.map(({ address }) => address),
      cwd,
      query,
      processes: running.map(({ child }) => child),
      expectAllAlive() {
        expect(running.map(({ child }) => [child.exitCode, child.signalCode])).toEqual(
          running.map(() => [null, null]),
        );
      },
    });
  } finally {
    for (const { child } of running) {
      child.kill('SIGKILL');
    }
    await server.remove();
  }
}

/** Many workers post through all instances, a fifth of the posts once more: rows, balances and the server's log are right. */
export async function postFromMany(options: { posts: number; workers: number }): Promise<void> {
  await withInstances(async ({ server, databaseUrl, addresses, cwd, query, expectAllAlive }) => {
    const poster = await createPosterOn(databaseUrl, keysFor(options.posts));
    const distinct = Math.ceil(options.posts * 0.8);
    const planned = Array.from({ length: options.posts }, (_, index): PlannedPost => {
      // The repeats come soon after the firsts and meet them at other instances, often while these are under way.
      const number = index % 5 === 4 ? index - 3 - Math.floor(index / 5) : index - Math.floor(index / 5);
      return { playerId: `p${number % 97}`, name: `post-${number}`, amount: 0.5, quantity: 1 + (number % 3) };
    });
    expect(new Set(planned.map(({ name }) => name)).size).toBe(distinct);
    let next = 0;
    async function work(): Promise<void> {
      for (let post = planned[next++]; post !== undefined; post = planned[next++]) {
        const one = post;
        const address = addresses[next % addresses.length] ?? '';
        await untilTrue(() => poster.post(address, one));
      }
    }
    await Promise.all(Array.from({ length: options.workers }, work));

    await expectExactly([...new Set(planned.map(({ name }) => name))], { cwd, databaseUrl });
    const firsts = new Map(planned.map((post) => [post.name, post]));
    const units = [...firsts.values()].reduce((sum, { quantity }) => sum + 5_000 * quantity, 0);
    const [sums] = await query(
      `SELECT sum(balance) AS balances, sum(transaction_count) AS count,
         (SELECT sum(total) FROM ledger_transaction) AS totals, (SELECT count(*) FROM idempotency) AS keys
       FROM account`,
    );
    const count = String(distinct);
    expect(sums).toEqual({ balances: String(units), count, totals: String(units), keys: count });
    expect(server.log()).not.toMatch(/deadlock/i);
    expectAllAlive();
  });
}

/** The number of keys that can send `posts` posts a second without reaching their rate limit. */
function keysFor(posts: number): number {
  return Math.min(KEYS_MAX, Math.ceil(posts / POSTS_PER_KEY));
}

/** How soon a restarted server must be posted to again, on a machine that has nothing else to do. */
const BACK_WITHIN_MS = 2_000;

/**
 * Crashes the server `crashes` times and stops it `stops` times for a while, under a steady flow of posts through three
 * instances. No process dies, each acknowledged post is there once, and posts are answered soon after the server is back.
 */
export async function breakUnderPosts(options: {
  crashes: number;
  stops: number;
  stoppedMs: number;
  perSecond: number;
  backWithinMs?: number;
}): Promise<void> {
  await withInstances(async ({ server, databaseUrl, addresses, cwd, expectAllAlive }) => {
    const poster = await createPosterOn(databaseUrl, keysFor(5 * options.perSecond));
    const posts = startSteadyPosts(addresses, poster, options.perSecond);
    const answeredAfter = async (count: number) =>
      untilTrue(() => posts.acknowledged.length > count, options.backWithinMs ?? BACK_WITHIN_MS);
    const someMore = async () => {
      const count = posts.acknowledged.length;
      await untilTrue(() => posts.acknowledged.length > count + options.perSecond / 2);
    };
    await someMore();
    const pauses = [
      ...Array.from({ length: options.crashes }, () => 0),
      ...Array.from({ length: options.stops }, () => options.stoppedMs),
    ];
    for (const pauseMs of pauses) {
      await server.stop(pauseMs === 0 ? 'immediate' : 'fast');
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      await server.start();
      await answeredAfter(posts.acknowledged.length);
      await someMore();
      expectAllAlive();
    }
    await posts.finish();
    await expectExactly(posts.acknowledged, { cwd, databaseUrl });
    expectAllAlive();
  });
}
