import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openToolbox, systemClock, systemIds } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/domain/model.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { distributePostgres } from '../../src/store/postgres/distribute.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { TESTER } from '../support/change.ts';
import { createFolder } from '../support/folder.ts';
import { storeSettings } from '../support/load.ts';
import { seriesOf } from '../support/metrics.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, runCommand, type ServerProcess, startServer } from '../support/process.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { createClusterDatabase, portOf, run, startCluster } from './cluster.ts';

const NAME = 'guildbook_hung';
const GUILDS = 12;
/** Between two requests of a guild. A key may send ten a second. */
const PACE_MS = 150;
const CALM_MS = 8_000;
/** Longer than the deadline of a statement. */
const HUNG_MS = 15_000;
/** Below this a machine with other work decides about the slowest answers. */
const P99_FLOOR_MS = 25;

interface Sample {
  guildId: string;
  phase: 'calm' | 'hung' | 'after';
  ms: number;
  failure: string | undefined;
}

// A cluster of this file's own, because one of its workers is held still.
let servers: PostgresServer[];
let url: string;
let instance: ServerProcess;
let keys: Map<string, string>;
beforeAll(async () => {
  servers = await startCluster();
  await createClusterDatabase(servers, NAME);
  url = servers[0]?.url(NAME) ?? '';
  await migratePostgres(parseDatabaseUrl(url));
  await distributePostgres(parseDatabaseUrl(url), () => {});
  keys = await createKeys();
  instance = await startServer({
    cwd: createFolder(),
    env: { ...storeSettings(url), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
  });
});
afterAll(async () => {
  if (instance !== undefined) {
    await endNow(instance.child);
  }
  await Promise.all((servers ?? []).map((server) => server.remove()));
});

/** Makes guilds with a key each. */
async function createKeys(): Promise<Map<string, string>> {
  const toolbox = await openToolbox(readConfig(storeSettings(url)), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  const made = new Map<string, string>();
  const expiresAtMs = Date.now() + 86_400_000;
  for (let index = 0; index < GUILDS; index += 1) {
    const guildId = `guild-${index}`;
    await toolbox.guilds.set({ guildId, name: guildId, plan: 'developer' }, TESTER);
    const key = await toolbox.keys.create({ guildId, name: 'bot', scopes: SCOPES, expiresAtMs }, TESTER);
    made.set(guildId, key.value);
  }
  await toolbox.close();
  return made;
}

/** The guilds whose rows are on the worker with this port. */
async function guildsOn(port: string): Promise<Set<string>> {
  const [found] = await run(url, [
    `SELECT guild_id FROM guild JOIN citus_shards AS s
       ON s.shardid = get_shard_id_for_distribution_column('guild_ledger', guild_no) WHERE s.nodeport = ${port}`,
  ]);
  return new Set(found?.rows.map((row) => row.guild_id));
}

const aPost = (playerId: string) => ({ playerId, name: 'Post', source: 'load', amount: 1, quantity: 1 });

function send(key: string, route: string, body: object): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return fetch(`${instance.address}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const isDown = async (worker: string) =>
  seriesOf(await instance.readMetrics(), `guildbook_store_worker_up{node="${worker}"}`) === 0;

const isReady = async () =>
  (await (await fetch(`${instance.address}/readyz`)).text()) === '{"status":"ready"}';

/** Posts and lists of every guild at a steady pace, without waiting for earlier answers. */
function startLoad() {
  const samples: Sample[] = [];
  const underWay = new Set<Promise<void>>();
  let phase: Sample['phase'] = 'calm';
  let count = 0;

  async function ask(guildId: string, key: string, number: number): Promise<void> {
    const sample: Sample = { guildId, phase, ms: 0, failure: undefined };
    const begunMs = performance.now();
    const player = `p${number % 5}`;
    const sent =
      number % 2 === 0
        ? send(key, '/guild/ledger', aPost(player))
        : fetch(`${instance.address}/guild/ledger/${player}/transactions`, { headers: { 'x-api-key': key } });
    sample.failure = await sent.then(
      async (reply) => (reply.ok ? undefined : `${reply.status} ${await reply.text()}`),
      (error: unknown) => String(error),
    );
    sample.ms = performance.now() - begunMs;
    samples.push(sample);
  }

  const timer = setInterval(() => {
    count += 1;
    for (const [guildId, key] of keys) {
      const sent = ask(guildId, key, count);
      underWay.add(sent);
      sent.finally(() => underWay.delete(sent));
    }
  }, PACE_MS);
  return {
    samples,
    enter(next: Sample['phase']) {
      phase = next;
    },
    async finish() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

function p99(samples: readonly Sample[]): number {
  const sorted = samples.map(({ ms }) => ms).sort((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}

it('a worker that hangs holds up its own guilds only, and they go on when it does', async () => {
  const worker = servers[1] as PostgresServer;
  const name = `127.0.0.1:${portOf(worker)}`;
  const there = await guildsOn(portOf(worker));
  expect(there.size).toBeGreaterThan(0);
  expect(there.size).toBeLessThan(GUILDS);
  const load = startLoad();
  // The first requests of each guild prepare their statements.
  await wait(2_000);
  load.samples.length = 0;
  await wait(CALM_MS);

  load.enter('hung');
  worker.pause();
  try {
    await untilTrue(() => isDown(name));
    const ready = await fetch(`${instance.address}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'degraded', downWorkers: [name] }]);
    const startMs = performance.now();
    const created = await runCommand(
      ['key', 'create', '--guild', 'guild-0', '--name', 'late', '--scopes', 'guild:read', '--expires', '30d'],
      { cwd: createFolder(), env: storeSettings(url) },
    );
    expect(created.status).not.toBe(0);
    console.log(
      `key create was refused after ${Math.round(performance.now() - startMs)} ms: ${created.stderr}`,
    );
    await wait(HUNG_MS);
  } finally {
    worker.resume();
  }
  await untilTrue(isReady);
  load.enter('after');
  await wait(3_000);
  await load.finish();

  const of = (phase: Sample['phase'], isThere: boolean) =>
    load.samples.filter((sample) => sample.phase === phase && there.has(sample.guildId) === isThere);
  const failures = (samples: readonly Sample[]) => samples.flatMap(({ failure }) => failure ?? []);
  const [calm, hung] = [p99(of('calm', false)), p99(of('hung', false))];
  console.log(
    `guilds of the healthy worker: p99 ${Math.round(calm)} ms before, ${Math.round(hung)} ms while the other hung ` +
      `(${of('hung', false).length} requests, ${failures(of('hung', false)).length} failed); ` +
      `guilds of the hung one: ${failures(of('hung', true)).length} of ${of('hung', true).length} failed`,
  );
  expect(failures(of('hung', false))).toEqual([]);
  expect(hung).toBeLessThan(3 * Math.max(calm, P99_FLOOR_MS));
  expect(failures(of('hung', true)).length).toBeGreaterThan(0);
  expect(failures(of('after', true))).toEqual([]);
  expect(await verifyPostgres(parseDatabaseUrl(url), () => {})).toEqual([]);
});

it('while a worker hangs, events of guilds on other workers are delivered, and its own ones afterwards', async () => {
  const worker = servers[1] as PostgresServer;
  const there = await guildsOn(portOf(worker));
  const elsewhere = [...keys.keys()].filter((guildId) => !there.has(guildId));
  const receiver = await startReceiver();
  const received = (guildId: string) =>
    new Set(receiver.deliveries.filter(({ path }) => path.endsWith(`/${guildId}`)).map(({ id }) => id)).size;
  const untilReceived = (guildIds: Iterable<string>, count: number) =>
    untilTrue(() => [...guildIds].every((guildId) => received(guildId) === count));
  const postTo = async (guildId: string) => {
    const reply = await send(keys.get(guildId) ?? '', '/guild/ledger', aPost('of a webhook'));
    expect(reply.status).toBe(200);
  };
  for (const [guildId, key] of keys) {
    const endpoint = { url: `${receiver.url}/${guildId}`, kind: 'standard', events: ['transaction.posted'] };
    expect((await send(key, '/guild/webhooks', endpoint)).status).toBe(200);
  }
  await Promise.all([...keys.keys()].map(postTo));
  await untilReceived(keys.keys(), 1);

  await Promise.all([...there].map(postTo));
  worker.pause();
  try {
    await untilTrue(() => isDown(`127.0.0.1:${portOf(worker)}`));
    await Promise.all(elsewhere.map(postTo));
    await untilReceived(elsewhere, 2);
  } finally {
    worker.resume();
  }
  await untilTrue(isReady);
  await untilReceived(there, 2);
});
