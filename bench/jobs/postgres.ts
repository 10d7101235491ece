import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { PROGRAMS } from '../../scripts/requirements.ts';
import { createPostgresServer } from '../../server/test/postgres/server.ts';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { SMALL } from '../support/ledger-file.ts';
import { createLoads, type Loads } from '../support/loads.ts';
import { compareWithBare, type Pace } from '../support/measure.ts';
import { prepareLedger } from '../support/prepare.ts';
import { createFolder, runGuildbook, stopAtEnd } from '../support/processes.ts';
import { type RunningServer, startService } from '../support/servers.ts';
import { type Bench, createStage, type Stage, secondsOf } from '../support/stage.ts';
import { undoAtEnd } from '../support/undo.ts';

// /tmp is memory on many systems, where waiting for the disk costs nothing; /var/tmp has to survive a restart.
const ON_DISK = '/var/tmp';
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const ROUNDS_MAX = 3;

const LOAD_JOBS: { load: keyof Loads; title: string }[] = [
  { load: 'discharge', title: 'get a discharge' },
  { load: 'listHundred', title: 'list first page of 20' },
  { load: 'postDistinct', title: 'post, distinct players' },
  { load: 'mixed', title: 'mixed load' },
];

interface Served {
  service: RunningServer;
  loads: Loads;
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
    jobs: LOAD_JOBS.map(({ load, title: what }) => {
      const title = `${what}, PostgreSQL, ${workers === 1 ? 'one worker' : 'two workers'}`;
      return {
        name: `${name}-${load}`,
        title,
        aboutSeconds: secondsOf(pace),
        async run({ service, loads }) {
          bench.findings.addComparison(
            await compareWithBare(title, loads[load], service, { ...bench, pace }),
          );
        },
      };
    }),
    stop: ({ stop }) => stop(),
  });
}

async function serve({ findings }: Bench, workers: number): Promise<Served> {
  const database = await startDatabase();
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
  return {
    service,
    loads: createLoads(keys),
    async stop() {
      await service.stop();
      await redis?.stop();
      await database.stop();
    },
  };
}

interface Database {
  url: string;
  version: string;
  stop: () => Promise<void>;
}

/** A server of the run's own, and the proof that its commits wait for the disk. */
async function startDatabase(): Promise<Database> {
  const settings = Object.entries(DURABLE).map(([name, value]) => `${name}=${value}`);
  const starting = createPostgresServer({ settings, parent: ON_DISK });
  const stop = undoAtEnd(async () => (await starting.catch(() => undefined))?.remove());
  const url = (await starting).url('postgres');
  const show = async (name: string) => String((await query(url, `SHOW ${name}`))[0]?.[name]);
  for (const [name, value] of Object.entries(DURABLE)) {
    const found = await show(name);
    if (found !== value) {
      throw new Error(`PostgreSQL has ${name}=${found} and must have ${value}`);
    }
  }
  return { url, version: await show('server_version'), stop };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The copy holds the same keys, so that the same requests are answered alike. */
async function copySmallLedger(url: string): Promise<string[]> {
  const ledger = await prepareLedger('small', SMALL);
  await runGuildbook(['copy', '--from', `sqlite:${ledger.file}`, '--to', url]);
  await ledger.remove();
  // The server would do so by itself within a minute, in the middle of a job.
  await query(url, 'VACUUM ANALYZE');
  return ledger.keys;
}

async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = String(await findSparePort());
  const place = ['--port', port, '--bind', '127.0.0.1', '--dir', createFolder()];
  const child = spawn('redis-server', [...place, '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The service waits for it by itself.
  return { url: `redis://127.0.0.1:${port}`, stop: stopAtEnd(child) };
}
