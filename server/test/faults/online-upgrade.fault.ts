import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { upgradePostgres } from '../../src/store/postgres/migrate.ts';
import { createPostgresServer, type PostgresServer } from '../postgres/server.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { createNewerProgram } from '../support/newer-program.ts';
import { readFixture } from '../support/older-store.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, type ServerProcess, startServer } from '../support/process.ts';
import { openStoreFile, readStore } from '../support/read-store.ts';
import { watchLocks } from './lock-watch.ts';
import { p99, startMeasuredPosts } from './measured-posts.ts';
import { fillDatabase, fillFile, ROWS } from './million-rows.ts';

const POSTS_PER_SECOND = 200;
const KEYS = 100;
/** The first posts of a new process are not measured. */
const WARM_UP_MS = 5_000;
/** How long posts are measured before the upgrade. */
const BEFORE_MS = 20_000;
const P99_FACTOR_MAX = 5;
const LOCK_MAX_MS = 1_000;
/** An upgrade in the background has no hurry: on a busy machine it takes long. */
const PATIENCE_MS = 1_500_000;
const LONG = { timeout: PATIENCE_MS + 300_000 };
const COMPLETE = 'a step of the upgrade in the background is complete';

/** A migration of the next version on the tables of the ledger, with every kind of step. */
const POSTGRES_MIGRATION = `-- step: expand
ALTER TABLE ledger_transaction ADD COLUMN later bigint;
ALTER TABLE account ADD COLUMN later bigint;
ALTER TABLE account ADD CONSTRAINT account_later CHECK (later >= 0) NOT VALID;
-- step: backfill ledger_transaction by guild_no, account_no, seq
UPDATE ledger_transaction SET later = amount WHERE later IS NULL AND $batch;
-- step: index
CREATE INDEX ledger_by_later ON ledger_transaction (guild_no, later);
DROP INDEX ledger_by_quantity;
CREATE INDEX ledger_by_quantity ON ledger_transaction (guild_no, account_no, quantity, seq) WHERE seq > 100;
-- step: contract
ALTER TABLE account VALIDATE CONSTRAINT account_later;
`;
const POSTGRES_STEPS = 3;
const SQLITE_MIGRATION = `-- step: expand
ALTER TABLE ledger_transaction ADD COLUMN later INTEGER;
-- step: backfill ledger_transaction by guild_no, account_no, seq
UPDATE ledger_transaction SET later = amount WHERE later IS NULL AND $batch;
`;
const UNFILLED = `SELECT count(*) AS count FROM ledger_transaction WHERE later IS NULL AND number <= ${ROWS}`;

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

async function createServer(): Promise<{ server: PostgresServer; url: string; client: pg.Client }> {
  const server = await createPostgresServer();
  cleanUps.push(() => server.remove());
  const admin = await connect(server.url('postgres'));
  await admin.query('CREATE DATABASE books');
  const url = server.url('books');
  return { server, url, client: await connect(url) };
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  cleanUps.push(() => client.end());
  return client;
}

async function start(options: Parameters<typeof startServer>[0]): Promise<ServerProcess> {
  const started = await startServer(options);
  cleanUps.push(() => endNow(started.child));
  return started;
}

function report(name: string, figures: Record<string, number>): void {
  const parts = Object.entries(figures).map(([figure, value]) => `${figure} ${Math.round(value * 10) / 10}`);
  console.log(`${name}: ${parts.join(', ')}`);
}

it(
  'PostgreSQL: two versions side by side while the newer one upgrades a million rows, and no request fails',
  LONG,
  async () => {
    const { url, client } = await createServer();
    const poster = await createPosterOn(url, KEYS);
    await fillDatabase(client);
    const options = { cwd: createFolder(), env: storeSettings(url) };
    const older = await start(options);
    const posts = startMeasuredPosts(poster, POSTS_PER_SECOND, [older.address]);
    cleanUps.push(() => posts.stop());
    await pause(WARM_UP_MS);
    posts.take();
    await pause(BEFORE_MS);
    const before = posts.take();
    const locks = watchLocks(await connect(url));
    const startedMs = performance.now();
    const newer = await start({
      ...options,
      program: createNewerProgram({ engine: 'postgres', sql: POSTGRES_MIGRATION }),
    });
    const servingMs = performance.now() - startedMs;
    const starting = posts.take();
    posts.sendTo([older.address, newer.address]);
    await pause(WARM_UP_MS);
    posts.take();
    const completed = () => newer.output.filter((line) => line.includes(COMPLETE)).length;
    await untilTrue(() => completed() === POSTGRES_STEPS, PATIENCE_MS);
    const upgradeMs = performance.now() - startedMs;
    const during = [...starting, ...posts.take()];
    await posts.stop();
    const lockedMs = await locks.stop();
    report('PostgreSQL', {
      'p99 before (ms)': p99(before),
      'p99 during (ms)': p99(during),
      'posts during': during.length,
      'until serving (ms)': servingMs,
      'upgrade (s)': upgradeMs / 1_000,
      'longest strong lock (ms)': lockedMs,
    });
    expect(posts.failures).toEqual([]);
    expect((await client.query(UNFILLED)).rows).toEqual([{ count: '0' }]);
    expect(p99(during)).toBeLessThan(p99(before) * P99_FACTOR_MAX);
    expect(lockedMs).toBeLessThan(LOCK_MAX_MS);
  },
);

it('PostgreSQL: no lock is held for a second while a store of 0.2.0 with a million rows in each of two tables is upgraded', async () => {
  const { url, client } = await createServer();
  await client.query(String(readFixture('sample-0.2.0.sql')));
  await client.query(`SET search_path = public;
    INSERT INTO verification SELECT 'bulk-' || n, 'p' || n, 'u' || n, 'u' || n, n FROM generate_series(1, ${ROWS}) AS n;
    INSERT INTO webhook_retry (guild_no, webhook_id, event_id, type, body, attempts, next_at)
    SELECT guild_no, webhook_id, 'bulk-' || n, 'ping', '{}', 1, n
    FROM generate_series(1, ${ROWS}) AS n, (SELECT guild_no, webhook_id FROM webhook LIMIT 1) AS w;
    ANALYZE`);
  const locks = watchLocks(await connect(url));
  const probes = [
    `SELECT FROM verification WHERE player_id = 'p5'`,
    `UPDATE verification SET username = username WHERE chat_id = 'bulk-5'`,
    `UPDATE webhook_retry SET attempts = attempts WHERE event_id = 'bulk-5' AND guild_no = (SELECT min(guild_no) FROM webhook)`,
    'UPDATE webhook SET generation = generation WHERE webhook_id = (SELECT min(webhook_id) FROM webhook)',
    'UPDATE account SET balance = balance WHERE account_no = (SELECT min(account_no) FROM account)',
    'SELECT FROM api_key LIMIT 1',
  ];
  const probing = await Promise.all(probes.map(async (sql) => probe(await connect(url), sql)));
  const { applied } = await upgradePostgres(parseDatabaseUrl(url), {});
  const slowest = await Promise.all(probing.map((one) => one.stop()));
  const lockedMs = await locks.stop();
  report('0.2.0', { 'slowest statement (ms)': Math.max(...slowest), 'longest strong lock (ms)': lockedMs });
  expect(applied.length).toBeGreaterThan(0);
  expect(lockedMs).toBeLessThan(LOCK_MAX_MS);
});

/** Runs a statement again and again. It fails when it waits for a lock for a second. Ends with the duration of the slowest. */
function probe(client: pg.Client, sql: string): { stop(): Promise<number> } {
  let isOver = false;
  let slowestMs = 0;
  async function run(): Promise<void> {
    await client.query(`SET lock_timeout = ${LOCK_MAX_MS}`);
    while (!isOver) {
      const startedMs = performance.now();
      await client.query(sql);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      await pause(5);
    }
  }
  const running = run();
  // The failure is thrown at the end.
  running.catch(() => {});
  return {
    async stop() {
      isOver = true;
      await running;
      return slowestMs;
    },
  };
}

it('SQLite: posts go on while a million rows are filled, and no request fails', LONG, async () => {
  const cwd = createFolder();
  const file = path.join(cwd, 'store.db');
  const url = `sqlite:${file}`;
  const poster = await createPosterOn(url, KEYS);
  const db = openStoreFile(file);
  fillFile(db);
  db.close();
  const options = { cwd, env: storeSettings(url) };
  const older = await start(options);
  const posts = startMeasuredPosts(poster, POSTS_PER_SECOND, [older.address]);
  await pause(WARM_UP_MS);
  posts.take();
  await pause(BEFORE_MS);
  const before = posts.take();
  await posts.stop();
  older.child.kill('SIGTERM');
  await older.ended;
  const startedMs = performance.now();
  const newer = await start({
    ...options,
    args: ['--no-copy'],
    program: createNewerProgram({ engine: 'sqlite', sql: SQLITE_MIGRATION }),
  });
  const servingMs = performance.now() - startedMs;
  const more = startMeasuredPosts(poster, POSTS_PER_SECOND, [newer.address], 'more');
  cleanUps.push(() => more.stop());
  await pause(WARM_UP_MS);
  more.take();
  await untilTrue(() => newer.output.some((line) => line.includes(COMPLETE)), PATIENCE_MS);
  const upgradeMs = performance.now() - startedMs;
  const during = more.take();
  await more.stop();
  report('SQLite', {
    'p99 before (ms)': p99(before),
    'p99 during (ms)': p99(during),
    'posts during': during.length,
    'until serving (ms)': servingMs,
    'upgrade (s)': upgradeMs / 1_000,
  });
  expect([...posts.failures, ...more.failures]).toEqual([]);
  expect(readStore(file, (store) => store.prepare(UNFILLED).get())).toEqual({ count: 0 });
  expect(p99(during)).toBeLessThan(p99(before) * P99_FACTOR_MAX);
});
