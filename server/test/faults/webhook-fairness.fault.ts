import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openToolbox, systemClock, systemIds } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/domain/model.ts';
import { createPostgresServer } from '../postgres/server.ts';
import { TESTER } from '../support/change.ts';
import { createFolder } from '../support/folder.ts';
import { storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, startServer } from '../support/process.ts';
import { transactionBody } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const PER_GUILD = 10;
const HANGING_GUILDS = 50;
const CHAT_GUILDS = 100;
const SAMPLES = 200;
const SAMPLE_EVERY_MS = 250;
const POST_EVERY_MS = 1_000;
const DELIVERED_WITHIN_MS = 2_000;

/** A guild with a key that has all scopes. */
interface LoadGuild {
  key: string;
  address: string;
}

async function createGuilds(databaseUrl: string, count: number): Promise<string[]> {
  const toolbox = await openToolbox(readConfig(storeSettings(databaseUrl)), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  const expiresAtMs = Date.now() + 86_400_000;
  const made = Array.from({ length: count }, async (_, index) => {
    const guildId = `load-${index}`;
    await toolbox.guilds.set({ guildId, name: guildId, plan: 'developer' }, TESTER);
    return toolbox.keys.create({ guildId, name: 'load', scopes: SCOPES, expiresAtMs }, TESTER);
  });
  const keys = (await Promise.all(made)).map(({ value }) => value);
  await toolbox.close();
  return keys;
}

function send({ key, address }: LoadGuild, path: string, body: object): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Answers that say "later" are followed: they are not the point here. */
async function untilAccepted(guild: LoadGuild, path: string, body: object): Promise<Response> {
  let reply: Response | undefined;
  await untilTrue(async () => {
    reply = await send(guild, path, body);
    expect([200, 408, 429, 503]).toContain(reply.status);
    return reply.status === 200;
  });
  if (reply === undefined) {
    throw new Error('no answer');
  }
  return reply;
}

async function createEndpoints(guild: LoadGuild, url: string, kind: 'standard' | 'discord', count: number) {
  for (let number = 0; number < count; number += 1) {
    const body = { url: `${url}/${crypto.randomUUID()}`, kind, events: ['transaction.posted'] };
    await untilAccepted(guild, '/guild/webhooks', body);
  }
}

/** Posts to each guild once a second until it is stopped. */
function startPosts(guilds: readonly LoadGuild[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const runs = guilds.map(async (guild, index) => {
    await pause((index / guilds.length) * POST_EVERY_MS);
    while (!stopping.signal.aborted) {
      // Posts that are refused or cut off under this load are not repeated.
      await send(guild, '/guild/ledger', transactionBody()).then(
        (reply) => reply.text(),
        () => {},
      );
      await pause(POST_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(runs);
    },
  };
}

/** How long after its acknowledgement each post of the guild reached the receiver, shortest first. */
async function measure(guild: LoadGuild, arrivedAtMs: Map<string, number>): Promise<number[]> {
  const samples: Promise<number>[] = [];
  // Each sample begins on time, whether the one before has arrived or not: otherwise a long delay would be sampled only once.
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    samples.push(sampleDelay(guild, sample, arrivedAtMs));
    await pause(SAMPLE_EVERY_MS);
  }
  return (await Promise.all(samples)).toSorted((one, other) => one - other);
}

async function sampleDelay(guild: LoadGuild, sample: number, arrivedAtMs: Map<string, number>) {
  const reply = await untilAccepted(guild, '/guild/ledger', transactionBody({ name: `sample ${sample}` }));
  const acknowledgedAtMs = performance.now();
  const transactionId = reply.headers.get('transaction-id') ?? '';
  await reply.text();
  await untilTrue(() => arrivedAtMs.has(transactionId));
  return (arrivedAtMs.get(transactionId) ?? 0) - acknowledgedAtMs;
}

async function expectFair(databaseUrl: string, instanceCount: number): Promise<void> {
  const keys = await createGuilds(databaseUrl, HANGING_GUILDS + CHAT_GUILDS + 1);
  const env = { ...storeSettings(databaseUrl), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
  const cwd = createFolder();
  const instances = await Promise.all(Array.from({ length: instanceCount }, () => startServer({ cwd, env })));
  try {
    const guilds = keys.map((key, index) => ({
      key,
      address: instances[index % instanceCount]?.address ?? '',
    }));
    const hangingGuilds = guilds.slice(0, HANGING_GUILDS);
    const chatGuilds = guilds.slice(HANGING_GUILDS, -1);
    const healthy = guilds.at(-1);
    if (healthy === undefined) {
      throw new Error('no guild');
    }
    let requests = 0;
    const channels = new Set<string>();
    const arrivedAtMs = new Map<string, number>();
    const hanging = await startReceiver(() => {
      requests += 1;
    });
    const chat = await startReceiver((response, { path }) => {
      channels.add(path);
      response.writeHead(200).end('{}');
    });
    const receiver = await startReceiver((response, { json }) => {
      arrivedAtMs.set(json.data.transactionId, performance.now());
      response.writeHead(204).end();
    });
    await Promise.all([
      ...hangingGuilds.map((guild) => createEndpoints(guild, hanging.url, 'standard', PER_GUILD)),
      ...chatGuilds.map((guild) => createEndpoints(guild, chat.url, 'discord', PER_GUILD)),
      createEndpoints(healthy, receiver.url, 'standard', 1),
    ]);
    const posts = startPosts([...hangingGuilds, ...chatGuilds]);
    await untilTrue(() => requests >= HANGING_GUILDS && channels.size === CHAT_GUILDS * PER_GUILD);
    const delays = await measure(healthy, arrivedAtMs);
    await posts.stop();
    const at = (part: number) => Math.round(delays[Math.ceil(delays.length * part) - 1] ?? 0);
    console.log(
      `${instanceCount} on ${databaseUrl.split(':')[0]}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; ` +
        `${requests} hanging requests, ${chat.deliveries.length} messages`,
    );
    expect(at(0.99)).toBeLessThanOrEqual(DELIVERED_WITHIN_MS);
  } finally {
    await Promise.all(instances.map(({ child }) => endNow(child)));
  }
}

describe(`${HANGING_GUILDS * PER_GUILD} hanging endpoints and ${CHAT_GUILDS * PER_GUILD} busy channels of other guilds`, () => {
  it.each([1, 3])(
    'leave a webhook its deliveries within two seconds, on SQLite with %i services on one file',
    async (count) => {
      await expectFair(`sqlite:${createFolder()}/guildbook.db`, count);
    },
  );

  it.each([1, 3])(
    'leave a webhook its deliveries within two seconds, on PostgreSQL with %i instances',
    async (count) => {
      const server = await createPostgresServer({});
      try {
        await expectFair(server.url('postgres'), count);
      } finally {
        await server.remove();
      }
    },
  );
});
