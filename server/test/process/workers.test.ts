import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, type Poster, storeSettings } from '../support/load.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { runCommand, type ServerProcess, startServer } from '../support/process.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

const WORKERS = 2;
const ENDED = { status: 0, signal: null };

let database: TestDatabase;
let redis: TestRedis;
let poster: Poster;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  redis = await startRedis();
  poster = await createPosterOn(database.url, 40);
  env = { ...storeSettings(database.url), REDIS_URL: redis.url };
});
afterAll(() => database.remove());

async function start(changes: Record<string, string> = {}): Promise<ServerProcess> {
  const args = ['--workers', String(WORKERS)];
  // A group of its own, as a terminal or systemd gives it.
  const server = await startServer({
    cwd: createFolder(),
    env: { ...env, ...changes },
    args,
    leadsGroup: true,
  });
  // Lines of several processes come in any order.
  await untilTrue(() => pidsOf(server).length === WORKERS);
  return server;
}

const entriesOf = ({ output }: ServerProcess, text: string) =>
  output.filter((line) => line.includes(text)).map((line) => JSON.parse(line));

/** The process id of each worker that ever listened, in the order of their starts. */
const pidsOf = (server: ServerProcess): number[] =>
  entriesOf(server, 'Server listening').map(({ pid }) => pid);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A connection of its own each time, so that the workers take turns. */
async function get(server: ServerProcess, path: string): Promise<string> {
  const reply = await fetch(`${server.address}${path}`, { headers: { connection: 'close' } });
  return reply.text();
}

function workersIn(metrics: string, name: string): string[] {
  const lines = metrics.split('\n').filter((line) => line.startsWith(`${name}{`));
  return [...new Set(lines.flatMap((line) => /worker="(\d+)"/.exec(line)?.[1] ?? []))].sort();
}

describe('several workers', LONG_TEST, () => {
  test('on a store without a guild log the next commands once', async () => {
    const empty = await createDatabase();
    const server = await start({ DATABASE_URL: empty.url });
    await untilTrue(() => entriesOf(server, 'the store has no guild yet').length > 0);
    process.kill(server.child.pid ?? 0, 'SIGTERM');
    expect(await server.ended).toEqual(ENDED);
    expect(entriesOf(server, 'the store has no guild yet')).toMatchObject([{ worker: '1' }]);
    await empty.remove();
  });

  test('share the port and the work, tell the metrics of all, are replaced when one ends, and stop together', async () => {
    const server = await start();
    let metrics = '';
    await untilTrue(async () => {
      await get(server, '/livez');
      metrics = await server.readMetrics();
      return workersIn(metrics, 'guildbook_http_requests_total').length === WORKERS;
    });
    expect(workersIn(metrics, 'process_start_time_seconds')).toEqual(['1', '2']);
    expect(metrics.match(/^# TYPE guildbook_http_requests_total /gm)).toHaveLength(1);
    expect(entriesOf(server, '"msg":"listening"')).toEqual([
      expect.objectContaining({ address: server.address, workers: WORKERS }),
    ]);

    const [first = 0, second = 0] = pidsOf(server);
    process.kill(first, 'SIGKILL');
    await untilTrue(() => entriesOf(server, 'a worker took its place').length === 1);
    expect(isAlive(second)).toBe(true);
    process.kill(second, 'SIGTERM');
    await untilTrue(() => entriesOf(server, 'a worker took its place').length === 2);
    expect(entriesOf(server, 'a worker ended, another one takes its place')).toEqual([
      expect.objectContaining({ status: null, signal: 'SIGKILL', pauseMs: 100 }),
      expect.objectContaining({ status: 0, signal: null, pauseMs: 100 }),
    ]);
    await untilTrue(() => pidsOf(server).length === 2 * WORKERS);
    // A worker is not ready before its start is over and done with.
    await untilTrue(async () => (await get(server, '/readyz')).includes('"ready"'));

    // The workers finish posts under way when the whole group gets a signal.
    const answered: string[] = [];
    const posts = Array.from({ length: 40 }, async (_, index) => {
      const name = `post-${index}`;
      if (await poster.post(server.address, { playerId: 'p', name, amount: 1, quantity: 1 })) {
        answered.push(name);
      }
    });
    await untilTrue(() => answered.length > 0);
    // As a terminal or systemd does it: everybody hears of it.
    process.kill(-(server.child.pid ?? 0), 'SIGTERM');
    await Promise.all(posts);
    expect(await server.ended).toEqual(ENDED);
    const rows = await database.query<{ name: string }>('SELECT name FROM ledger_transaction');
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(answered));
    expect(pidsOf(server).filter(isAlive)).toEqual([]);
    // Beside the present workers and the primary, one of the first two workers has stopped before.
    expect(entriesOf(server, '"msg":"stopped"')).toHaveLength(WORKERS + 2);
  });

  test('end at once when told twice, and leave nobody behind', async () => {
    const server = await start({ DRAIN_DELAY_SECONDS: '5' });
    server.child.kill('SIGTERM');
    await untilTrue(() => entriesOf(server, '"msg":"stopping"').length > 0);
    server.child.kill('SIGINT');
    expect(await server.ended).toEqual({ status: 1, signal: null });
    await untilTrue(() => !pidsOf(server).some(isAlive));
  });

  test('end with the one that started them, however it ended', async () => {
    const server = await start();
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    await untilTrue(() => !pidsOf(server).some(isAlive));
  });
});

describe('a start with several workers is refused', () => {
  const serve = (changes: Record<string, string>) =>
    runCommand(['serve', '--workers', '2'], {
      cwd: createFolder(),
      env: { ...env, LOG_LEVEL: 'silent', ...changes },
    });

  test('without Redis, because every worker would have a limit of its own', async () => {
    const { status, stderr } = await serve({ REDIS_URL: '' });
    expect(status).toBe(2);
    expect(stderr).toContain('--workers needs REDIS_URL');
  });

  test('when the port is in use, with that reason, once', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    // A server that listens on a port, and not on a pipe, has an address with one.
    const PORT = String((other.address() as AddressInfo).port);
    const { status, stdout, stderr } = await serve({ PORT });
    other.close();
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(`guildbook: port ${PORT} is in use: set PORT to another one, as in PORT=3001\n`);
  });

  test('when there is no database, with that reason', async () => {
    const { status, stderr } = await serve({ DATABASE_URL: 'postgres://guildbook@127.0.0.1:1/none' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^guildbook: .+ cannot be used: .+\n {2}Check DATABASE_URL, .+\n$/);
  });
});
