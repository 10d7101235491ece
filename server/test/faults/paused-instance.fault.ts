import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Instances, type Route, withInstances } from '../postgres/instances.ts';
import { startPgBouncer } from '../postgres/pgbouncer.ts';
import { createPosterOn, kindOf, type PlannedPost } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { expectExactly, startSteadyPosts } from './steady-posts.ts';

const POSTS_PER_SECOND = 150;
const KEYS = 150;
/** An instance is paused up to this many times, until it is caught with an open transaction. */
const PAUSES_MAX = 40;
const PAUSED_SHORTLY_MS = 250;
/** How long it stays paused then. */
const PAUSED_MS = 12_000;
/** The server ends a transaction in which nothing happens for two seconds. */
const ENDED_WITHIN_MS = 3_500;

const THROUGH_PGBOUNCER: Route = async (server, database) =>
  (await startPgBouncer(server.url(database))).url(database);
const DIRECTLY: Route = (server, database) => server.url(database);

interface Load {
  kind: (count: number) => Pick<PlannedPost, 'kind'>;
  stored: 'transactions' | 'discharges';
}

const POSTS: Load = { kind: kindOf, stored: 'transactions' };
const RECORDS: Load = { kind: () => ({ kind: 'discharge' }), stored: 'discharges' };

// Idle transactions that have locked rows of the guild's ledger or log. Their client is paused, or they would not be idle for this
// long.
const OPEN_TRANSACTIONS = `SELECT DISTINCT a.pid FROM pg_stat_activity AS a JOIN pg_locks AS l ON l.pid = a.pid
  WHERE a.state LIKE 'idle in transaction%' AND l.relation IN ('guild_ledger'::regclass, 'audit_counter'::regclass)
  AND clock_timestamp() - a.state_change > interval '${PAUSED_SHORTLY_MS / 2} milliseconds'`;

/**
 * Pauses the first of three instances until it holds an open transaction, and then for a while, as all three post to one guild.
 * Returns how often it held one, and the longest time in which no post through the others was acknowledged.
 */
async function pauseUnderPosts(
  { processes, addresses, databaseUrl, cwd, query, expectAllAlive }: Instances,
  { kind, stored }: Load,
): Promise<{ held: number; longestGapMs: number }> {
  const poster = await createPosterOn(databaseUrl, KEYS);
  const [paused, ...others] = addresses;
  const [child] = processes;
  const itsPosts = startSteadyPosts([paused ?? ''], poster, POSTS_PER_SECOND, { prefix: 'paused', kind });
  const posts = startSteadyPosts(others, poster, POSTS_PER_SECOND, { kind });
  await untilTrue(() => posts.acknowledged.length > POSTS_PER_SECOND);
  posts.takeLongestGapMs();
  let held = 0;
  for (let count = 0; count < PAUSES_MAX && held === 0; count += 1) {
    child?.kill('SIGSTOP');
    await pause(PAUSED_SHORTLY_MS);
    held = (await query(OPEN_TRANSACTIONS)).length;
    await pause(held === 0 ? 0 : PAUSED_MS);
    child?.kill('SIGCONT');
    const before = itsPosts.acknowledged.length;
    await untilTrue(() => itsPosts.acknowledged.length > before + 20);
  }
  const longestGapMs = posts.takeLongestGapMs();
  await Promise.all([posts.finish(), itsPosts.finish()]);
  await expectExactly([...posts.acknowledged, ...itsPosts.acknowledged], { cwd, databaseUrl, stored });
  expectAllAlive();
  return { held, longestGapMs };
}

it.each([
  ['through PgBouncer', THROUGH_PGBOUNCER],
  ['directly', DIRECTLY],
])('posts, payments and batches of a paused instance hold no lock of their guild, %s', (name, route) =>
  withInstances(async (instances) => {
    const { held, longestGapMs } = await pauseUnderPosts(instances, POSTS);
    console.log(`${name}: ${held} open transactions, no post for ${Math.round(longestGapMs)} ms`);
    expect(held).toBe(0);
    expect(longestGapMs).toBeLessThan(ENDED_WITHIN_MS);
  }, route),
);

it.each([
  ['through PgBouncer', THROUGH_PGBOUNCER],
  ['directly', DIRECTLY],
])('the open transaction of a record of a paused instance ends within two seconds, %s', (name, route) =>
  withInstances(async (instances) => {
    const { held, longestGapMs } = await pauseUnderPosts(instances, RECORDS);
    console.log(`${name}: ${held} open transactions, no record for ${Math.round(longestGapMs)} ms`);
    expect(held).toBeGreaterThan(0);
    expect(longestGapMs).toBeLessThan(ENDED_WITHIN_MS);
  }, route),
);
