import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { openToolbox, systemClock, systemIds } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import type { DemoPerson } from '../../src/demo/platform/grants.ts';
import { SCOPES } from '../../src/domain/model.ts';
import { TESTER } from '../support/change.ts';
import { startTestPlatform } from '../support/chat-platform.ts';
import { createFolder } from '../support/folder.ts';
import { storeSettings } from '../support/load.ts';
import { startNameServer } from '../support/name-server.ts';
import { endNow, startServer } from '../support/process.ts';
import { transactionBody } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { createLoadClient, type LoadClient } from './load-client.ts';

export const BAD_GUILD = '7000000000000000001';
export const GOOD_GUILD = '7000000000000000002';
/** People of the good guild who are signed in. Each of them stays far below the limits of one person. */
const GOOD_PEOPLE = 10;
/** Others sign in again and again, which ends their oldest sessions. */
const SIGNING_IN = 10;
/** A key posts and lists ten times a second; the good guild has enough keys for its samples. */
const GOOD_KEYS = 4;
/** The bad guild keeps one place free, so that it can try to create more. */
const BAD_WEBHOOKS = 9;
/** No system has a name server here. */
const NAME_SERVER = { host: '127.0.53.53', port: 53 };
/** Transactions that both guilds have from the start, so that an export takes a while. */
const BATCHES = 20;
const BATCH_SIZE = 100;

export interface SignedIn {
  cookie: string;
  csrfToken: string;
}

/** A service with a guild that harms and a guild that is measured. */
export interface Place {
  address: string;
  /** The process of the service. */
  pid: number;
  client: LoadClient;
  good: { keys: string[]; people: SignedIn[] };
  bad: { key: string; manager: SignedIn; stranger: SignedIn; webhookIds: string[] };
  /** When the good guild's endpoint got the event about a player. */
  arrivedAtMs: Map<string, number>;
  /** Signs somebody in, from a loopback address, and returns how long the service took. */
  signIn(chatId: string, from: string): Promise<{ cookie: string; tookMs: number }>;
  /** Sets whether the bad guild's endpoints hang and its name server stays silent. */
  setHanging(isHanging: boolean): void;
}

export async function createPlace(databaseUrl: string): Promise<Place> {
  const { badKeys, goodKeys } = await createGuilds(databaseUrl);
  const platform = await startTestPlatform(createPeople(), systemClock);
  onTestFinished(() => platform.close());
  const nameServer = await startNameServer(NAME_SERVER);
  // By its name the platform is resolved on a thread of libuv, which a silent name server must not occupy.
  const byName = Object.entries(platform.environment).map(([name, value]) => [
    name,
    value.replace('127.0.0.1', 'localhost'),
  ]);
  const env = {
    ...storeSettings(databaseUrl),
    ...Object.fromEntries(byName),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const { address, child } = await startServer({ cwd: createFolder(), env, nameServer: NAME_SERVER.host });
  onTestFinished(() => endNow(child));
  const client = createLoadClient(address);
  onTestFinished(() => client.close());
  const signIn = (chatId: string, from: string) => signInFrom(client, chatId, from);
  const people = await Promise.all(
    Array.from({ length: GOOD_PEOPLE }, (_, index) => openSession(client, goodPersonId(index))),
  );
  const [badKey = ''] = badKeys;
  const webhooks = await createWebhooks({ client, nameServer, badKey, goodKey: goodKeys[0] ?? '' });
  await Promise.all([badKey, ...goodKeys.slice(0, 1)].map((key) => fill(client, key)));
  return {
    address,
    pid: child.pid ?? 0,
    client,
    good: { keys: goodKeys, people },
    bad: {
      key: badKey,
      manager: await openSession(client, BAD_MANAGER),
      stranger: await openSession(client, STRANGER),
      webhookIds: webhooks.ids,
    },
    arrivedAtMs: webhooks.arrivedAtMs,
    signIn,
    setHanging: webhooks.setHanging,
  };
}

const BAD_MANAGER = '101';
const STRANGER = '102';
const goodPersonId = (index: number) => String(200 + index);
/** Whom the sample with this number signs in. */
export const signInId = (number: number) => goodPersonId(GOOD_PEOPLE + (number % SIGNING_IN));

function createPeople(): DemoPerson[] {
  const owns = (guildId: string) => [{ guildId, name: guildId, owner: true, permissions: '0' }];
  const person = (chatId: string, guilds: DemoPerson['guilds']) => ({
    chatId,
    username: `person ${chatId}`,
    about: '',
    guilds,
  });
  const good = Array.from({ length: GOOD_PEOPLE + SIGNING_IN }, (_, index) =>
    person(goodPersonId(index), owns(GOOD_GUILD)),
  );
  return [person(BAD_MANAGER, owns(BAD_GUILD)), person(STRANGER, []), ...good];
}

async function createGuilds(databaseUrl: string): Promise<{ badKeys: string[]; goodKeys: string[] }> {
  const toolbox = await openToolbox(readConfig(storeSettings(databaseUrl)), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  const expiresAtMs = Date.now() + 86_400_000;
  async function create(guildId: string, keyCount: number): Promise<string[]> {
    await toolbox.guilds.set({ guildId, name: guildId, plan: 'developer' }, TESTER);
    const made = Array.from({ length: keyCount }, (_, index) =>
      toolbox.keys.create({ guildId, name: `key ${index}`, scopes: SCOPES, expiresAtMs }, TESTER),
    );
    return (await Promise.all(made)).map(({ value }) => value);
  }
  const [badKeys, goodKeys] = [await create(BAD_GUILD, 1), await create(GOOD_GUILD, GOOD_KEYS)];
  await toolbox.close();
  return { badKeys, goodKeys };
}

async function signInFrom(client: LoadClient, chatId: string, from: string) {
  const startMs = performance.now();
  const begun = await client.ask('/dashboard/api/sign-in', { from });
  const begunMs = performance.now() - startMs;
  const form = new URLSearchParams({ person: chatId });
  const picked = await fetch(begun.headers.location ?? '', {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const back = new URL(picked.headers.get('location') ?? '');
  const backMs = performance.now();
  const cookie = cookieOf(begun.headers['set-cookie']);
  const done = await client.ask(`${back.pathname}${back.search}`, { from, headers: { cookie } });
  const tookMs = begunMs + performance.now() - backMs;
  if (done.headers.location !== '/dashboard/') {
    throw new Error(`the sign-in was answered with ${done.status} and leads to ${done.headers.location}`);
  }
  return { cookie: cookieOf(done.headers['set-cookie']), tookMs };
}

const cookieOf = (lines: readonly string[] = []) => lines.map((line) => line.split(';')[0]).join('; ');

async function openSession(client: LoadClient, chatId: string): Promise<SignedIn> {
  const { cookie } = await signInFrom(client, chatId, '127.0.0.1');
  const { text } = await client.ask('/dashboard/api/session', { headers: { cookie } });
  return { cookie, csrfToken: JSON.parse(text).data.csrfToken };
}

interface WebhookParts {
  client: LoadClient;
  nameServer: Awaited<ReturnType<typeof startNameServer>>;
  badKey: string;
  goodKey: string;
}

/** An endpoint of the good guild, and those of the bad one: some hang, the names of the others are not resolved. */
async function createWebhooks({ client, nameServer, badKey, goodKey }: WebhookParts) {
  const arrivedAtMs = new Map<string, number>();
  const receiver = await startReceiver((response, { json }) => {
    arrivedAtMs.set(json.data.playerId, performance.now());
    response.writeHead(204).end();
  });
  let isHanging = false;
  const hanging = await startReceiver((response) => {
    if (!isHanging) {
      response.writeHead(204).end();
    }
  });
  const names = Array.from({ length: BAD_WEBHOOKS }, (_, index) => `hook-${index}.bad.test`);
  const setHanging = (next: boolean) => {
    isHanging = next;
    nameServer.answers.clear();
    for (const name of next ? [] : names) {
      nameServer.answers.set(name, { address: '127.0.0.1', ttlSeconds: 1 });
    }
  };
  setHanging(false);
  const create = async (key: string, url: string): Promise<string> => {
    const json = { url, kind: 'standard', events: ['transaction.posted'] };
    const { text } = await client.ask('/guild/webhooks', {
      method: 'POST',
      headers: { 'x-api-key': key },
      json,
    });
    return JSON.parse(text).data.webhook.id;
  };
  await create(goodKey, receiver.url);
  const ids: string[] = [];
  for (const [index, name] of names.entries()) {
    const url = index % 2 === 0 ? hanging.url.replace('127.0.0.1', name) : hanging.url;
    ids.push(await create(badKey, url));
  }
  return { ids, arrivedAtMs, setHanging };
}

async function fill(client: LoadClient, key: string): Promise<void> {
  const transactions = Array.from({ length: BATCH_SIZE }, (_, index) =>
    transactionBody({ playerId: `filler-${index}` }),
  );
  for (let batch = 0; batch < BATCHES; ) {
    const { status } = await client.ask('/guild/transactions', {
      method: 'POST',
      headers: { 'x-api-key': key },
      json: { transactions },
    });
    // A batch above the key's limit is sent again.
    batch += status === 200 ? 1 : 0;
  }
}
