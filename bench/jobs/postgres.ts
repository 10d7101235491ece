import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { PROGRAMS } from '../../scripts/requirements.ts';
import { createPostgresServer } from '../../server/test/postgres/server.ts';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { SMALL } from '../support/ledger-file.ts';
import { BATCH_ITEMS, createLoads, type Loads } from '../support/loads.ts';
import { type Comparison, compareWithBare, median, type Pace } from '../support/measure.ts';
import { prepareLedger } from '../support/prepare.ts';
import { cpuOf, createFolder, PROGRAM, runToEnd, stopAtEnd } from '../support/processes.ts';
import { type RunningServer, startService } from '../support/servers.ts';
import { type Bench, createStage, type Stage, secondsOf } from '../support/stage.ts';
import { undoAtEnd } from '../support/undo.ts';
import { type Load, runWrk, writeScript } from '../support/wrk.ts';

// /tmp is memory on many systems, where waiting for the disk costs nothing; /var/tmp has to survive a restart.
const ON_DISK = '/var/tmp';
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const ROUNDS_MAX = 3;
const KEYS_AT_ONCE = 100;
/** Accounts that are opened in the growing store, and how much more a post may cost afterwards. */
const ACCOUNTS_OPENED = { quick: 100_000, whole: 1_000_000 };
const COST_MAX = 1.2;
/** Rows of batches that PostgreSQL should take in a second. */
const BATCH_ROWS_MIN = 25_000;

/** The loads, each with the share of the bare server's rate that one worker should reach. */
const LOAD_JOBS: { load: keyof Loads; title: string; reach?: number; workers: readonly number[] }[] = [
  { load: 'discharge', title: 'get a discharge', reach: 0.45, workers: [1, 2] },
  { load: 'verification', title: 'get a verification by username', reach: 0.4, workers: [1] },
  { load: 'listHundred', title: 'list first page of 20', reach: 0.3, workers: [1, 2] },
  { load: 'postDistinct', title: 'post, distinct players', reach: 0.12, workers: [1, 2] },
  { load: 'postManyGuilds', title: 'post, 200 guilds', reach: 0.12, workers: [1, 2] },
  { load: 'postIdempotent', title: 'post with idempotency keys', reach: 0.12, workers: [1] },
  { load: 'postOne', title: 'post, one player', reach: 0.22, workers: [1] },
  { load: 'account', title: 'balance of one player', reach: 0.35, workers: [1] },
  { load: 'accounts', title: 'leaderboard, first 20', workers: [1] },
  { load: 'history', title: "guild's history, newest 20", reach: 0.35, workers: [1] },
  { load: 'historyOfPlayer', title: 'history of one player, newest 20', workers: [1] },
  { load: 'transaction', title: 'one transaction by its id', reach: 0.3, workers: [1] },
  { load: 'feed', title: 'feed, 20 from the beginning', reach: 0.08, workers: [1] },
  { load: 'batch', title: 'batch of 100, requests', workers: [1] },
  { load: 'payment', title: 'payments between distinct players', reach: 0.08, workers: [1, 2] },
  { load: 'paymentManyGuilds', title: 'payments, 200 guilds', reach: 0.08, workers: [1] },
  { load: 'reversal', title: 'posts and their reversals in turn', workers: [1] },
  { load: 'mixed', title: 'mixed load', reach: 0.25, workers: [1, 2] },
];

export interface Served {
  service: RunningServer;
  database: Database;
  loads: ReturnType<typeof createLoads>;
  keys: readonly string[];
  stop: () => Promise<void>;
}

/** The main jobs on PostgreSQL. Several workers share their limits in Redis, as they must; one keeps its own. */
export function createPostgresStage(bench: Bench, workers: 1 | 2): Stage {
  const name = workers === 1 ? 'postgres' : `postgres${workers}`;
  const pace: Pace = { ...bench.pace, rounds: Math.min(ROUNDS_MAX, bench.pace.rounds) };
  return createStage<Served>({
    name,
    programs: [PROGRAMS.wrk, PROGRAMS.postgres, ...(workers > 1 ? [PROGRAMS.redis] : [])],
    aboutSecondsToStart: 8,
    start: () => serve(bench, workers),
    jobs: LOAD_JOBS.filter((job) => job.workers.includes(workers)).map(({ load, title: what, reach }) => {
      const title = `${what}, PostgreSQL, ${workers === 1 ? 'one worker' : 'two workers'}`;
      return {
        name: `${name}-${load}`,
        title,
        aboutSeconds: secondsOf(pace),
        async run({ service, loads }) {
          const options = { ...bench, pace, reach: workers === 1 ? reach : undefined };
          const comparison = await compareWithBare(title, loads[load], service, options);
          bench.findings.addComparison(comparison);
          if (load === 'batch') {
            addRowTime(bench, comparison);
          }
        },
      };
    }),
    stop: ({ stop }) => stop(),
  });
}

/** The time of one row, which shows the rate of rows beside that of requests. */
function addRowTime({ findings }: Bench, { title, measured, stolenPercent }: Comparison): void {
  findings.addFigure({
    title: `${title}: time of one row`,
    value: 1_000_000 / (measured * BATCH_ITEMS),
    unit: 'µs',
    atMost: 1_000_000 / BATCH_ROWS_MIN,
    stolenPercent,
  });
}

/**
 * A store that grows from almost nothing without new statistics: how much longer a post of a new player takes afterwards.
 * The connections stay, with whatever they had planned.
 */
export function createGrowingStage(bench: Bench): Stage {
  const opened = bench.isQuick ? ACCOUNTS_OPENED.quick : ACCOUNTS_OPENED.whole;
  const title = `post of a new player after ${opened.toLocaleString('en')} accounts were opened / before`;
  return createStage<Served>({
    name: 'growing',
    programs: [PROGRAMS.wrk, PROGRAMS.postgres],
    aboutSecondsToStart: 8,
    start: () => serve(bench, 1, ['autovacuum=off']),
    jobs: [
      {
        name: 'growing-post',
        title,
        aboutSeconds: 4 * bench.pace.seconds * ROUNDS_MAX + opened / 10_000,
        async run({ service, loads, database }) {
          const rateOf = (name: string) =>
            ratePosts(bench, service, (round) => loads.postNew(`${name}-${round}`));
          await rateOf('warm-up');
          const before = await rateOf('before');
          await openAccounts(database.url, opened);
          await rateOf('warm-again');
          const after = await rateOf('after');
          bench.findings.addFigure({ title, value: before / after, unit: 'times', atMost: COST_MAX });
        },
      },
    ],
    stop: ({ stop }) => stop(),
  });
}

/** The median of some rounds: a checkpoint may fall into one of them. */
async function ratePosts(
  { folder, pace }: Bench,
  { address }: RunningServer,
  loadOf: (round: number) => Load,
): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const script = writeScript(folder, 'growing', loadOf(round));
    const { requestsPerSecond, failures } = await runWrk(script, address, { seconds: pace.seconds });
    if (failures > 0) {
      throw new Error(`${failures} posts failed`);
    }
    rates.push(requestsPerSecond);
  }
  return median(rates);
}

/** As posts would have opened them, each with one transaction. */
async function openAccounts(url: string, count: number): Promise<void> {
  await query(
    url,
    `INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
       SELECT 1, nextval('account_number'), 'opened-' || n, 10000, 1, 0 FROM generate_series(1, ${count}) n;
     INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
         balance_after, created_at, number)
       SELECT 1, account_no, 1, gen_random_uuid()::text, 10000, 1, 10000, 'Iron Ingot', 'source-1', 10000, 0,
         (SELECT last_number FROM guild_ledger WHERE guild_no = 1) + row_number() OVER ()
       FROM account WHERE player_id LIKE 'opened-%';
     UPDATE guild_ledger SET last_number = last_number + ${count} WHERE guild_no = 1`,
  );
}

/** A service with its own server and the small ledger. */
export async function serve(
  { findings }: Bench,
  workers: number,
  settings: readonly string[] = [],
): Promise<Served> {
  const database = await startDatabase(settings);
  findings.facts.set('PostgreSQL', database.version);
  const keys = await copySmallLedger(database.url);
  const redis = workers > 1 ? await startRedis() : undefined;
  const service = await startService({
    databaseUrl: database.url,
    arguments: ['--workers', String(workers)],
    env: {
      SECRET_KEY: randomBytes(32).toString('hex'),
      ...(redis !== undefined && { REDIS_URL: redis.url }),
    },
  });
  await warmUpKeys(service.address, keys);
  return {
    service,
    database,
    loads: createLoads(keys),
    keys,
    async stop() {
      await service.stop();
      await redis?.stop();
      await database.stop();
    },
  };
}

/** A service knows its keys after the first seconds of a day, and not only after those of a job. */
export async function warmUpKeys(address: string, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const answers = keys.slice(start, start + KEYS_AT_ONCE).map(async (key) => {
      const answer = await fetch(`${address}/users/Member_0`, { headers: { 'x-api-key': key } });
      await answer.arrayBuffer();
      if (!answer.ok) {
        throw new Error(`a key was answered with ${answer.status}`);
      }
    });
    await Promise.all(answers);
  }
}

export interface Database {
  url: string;
  version: string;
  /** Processor time of all its processes so far. Linux only. */
  cpuMs: () => number;
  stop: () => Promise<void>;
}

/**
 * A server of the run's own, and the proof that its commits wait for the file system of their folder. With a port it listens on loopback
 * too.
 */
export async function startDatabase(
  more: readonly string[],
  { port, parent = ON_DISK }: { port?: number; parent?: string | undefined } = {},
): Promise<Database> {
  const settings = Object.entries(DURABLE).map(([name, value]) => `${name}=${value}`);
  const starting = createPostgresServer({
    settings: [...settings, ...more],
    parent,
    ...(port !== undefined && { port }),
  });
  const stop = undoAtEnd(async () => (await starting.catch(() => undefined))?.remove());
  const server = await starting;
  const url = server.url('postgres');
  const show = async (name: string) => String((await query(url, `SHOW ${name}`))[0]?.[name]);
  for (const [name, value] of Object.entries(DURABLE)) {
    const found = await show(name);
    if (found !== value) {
      throw new Error(`PostgreSQL has ${name}=${found} and must have ${value}`);
    }
  }
  return { url, version: await show('server_version'), cpuMs: () => cpuOf({ pid: server.pid() }), stop };
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The copy holds the same keys, so that the same requests are answered alike. */
export async function copySmallLedger(url: string): Promise<string[]> {
  const ledger = await prepareLedger('small', SMALL);
  await copyLedger(ledger.file, url);
  await ledger.remove();
  return ledger.keys;
}

/** Copies a file of the embedded store, by the program of another checkout when it is not this one's. */
export async function copyLedger(file: string, url: string, program = PROGRAM): Promise<void> {
  await runToEnd(process.execPath, [program, 'copy', '--from', `sqlite:${file}`, '--to', url]);
  // The server would do so by itself within a minute, in the middle of a job.
  await query(url, 'VACUUM ANALYZE');
}

export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = String(await findSparePort());
  const place = ['--port', port, '--bind', '127.0.0.1', '--dir', createFolder()];
  const child = spawn('redis-server', [...place, '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The service waits for it by itself.
  return { url: `redis://127.0.0.1:${port}`, stop: stopAtEnd(child) };
}
