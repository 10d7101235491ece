import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import { OPERATOR } from '../../server/src/cli/operator.ts';
import { openToolbox, systemClock, systemIds } from '../../server/src/compose.ts';
import { readConfig } from '../../server/src/config.ts';
import { startDemoPlatform } from '../../server/src/demo/platform/platform.ts';
import { SAMPLE_SEED } from '../../server/src/demo/sample-data/index.ts';
import { createSignInPeople, type SignInPerson } from '../../server/src/demo/sample-data/sign-in-people.ts';
import { makeSampleStore } from '../../server/src/demo/sample-store.ts';
import { SCOPES } from '../../server/src/key-terms.ts';
import { createPostgresServer } from '../../server/test/postgres/server.ts';
import { startDeployed } from '../deploy-service.ts';
import { ROOT } from '../run.ts';

const ADMINISTRATOR = '8';
/** People who manage the sample guild. Each has limits of their own, so requests take turns with them. */
const PEOPLE_COUNT = 60;
export const KEY_LIFETIME_MS = 30 * 86_400_000;
const BOT_TOKEN = 'the-token-of-the-bot-that-is-fuzzed-0123456789';
const SECRET_KEY = 'the-key-that-encrypts-the-secrets-of-this-check';

/** A real service with sample data, and everything that its callers need. */
export interface FuzzedService {
  address: string;
  guildId: string;
  playerId: string;
  /** The chat ids of people who manage the guild. */
  people: readonly string[];
  /** A key of the guild with all scopes, for the check itself. */
  key: string;
  botToken: string;
  /** Takes deliveries of webhooks. */
  receiver: string;
  logFile: string;
  stop(): Promise<void>;
}

export async function startFuzzedService(
  folder: string,
  store: 'sqlite' | 'postgres',
): Promise<FuzzedService> {
  const closing: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closing.reverse()) {
      await close();
    }
  };
  try {
    const sqlite = `sqlite:${path.join(folder, 'guildbook.db')}`;
    const highlights = await makeSampleStore(readConfig({ DATABASE_URL: sqlite }), { actor: OPERATOR });
    if (highlights === undefined) {
      throw new Error(`${folder} has a store already`);
    }
    const key = await createKey(sqlite, highlights.guildId);
    const databaseUrl = store === 'sqlite' ? sqlite : await copyToPostgres(sqlite, closing);
    const people = createPeople(highlights);
    const platform = await startPlatform(people, closing);
    const receiver = await startReceiver(closing);
    const settings = {
      ...platform,
      DATABASE_URL: databaseUrl,
      BOT_TOKEN,
      SECRET_KEY,
      GUILD_EDITS_VERIFICATIONS: 'true',
      // Each request names a client of its own, so that no address reaches the limit of failed authentications.
      TRUST_PROXY: '127.0.0.1',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
    };
    const service = await startDeployed(folder, settings, ['--allow-sample-data']);
    closing.push(service.stop);
    const { address, logFile } = service;
    const { guildId, playerId } = highlights;
    const managers = people.slice(-PEOPLE_COUNT).map(({ chatId }) => chatId);
    return {
      address,
      guildId,
      playerId,
      people: managers,
      key,
      botToken: BOT_TOKEN,
      receiver,
      logFile,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createPeople({ guildId, guildName }: { guildId: string; guildName: string }): SignInPerson[] {
  const managers = Array.from({ length: PEOPLE_COUNT }, (_, index) => ({
    chatId: String(900_000_000_000 + index),
    username: `manager-${index}`,
    about: 'manages the guild',
    guilds: [{ guildId, name: guildName, owner: false, permissions: ADMINISTRATOR }],
  }));
  return [...createSignInPeople({ seed: SAMPLE_SEED }), ...managers];
}

async function createKey(databaseUrl: string, guildId: string): Promise<string> {
  const toolbox = await openToolbox(
    readConfig({ DATABASE_URL: databaseUrl }),
    {
      clock: systemClock,
      ids: systemIds,
      logger: pino({ level: 'silent' }),
      onFatal(error) {
        throw error;
      },
    },
    'expect',
  );
  try {
    const expiresAtMs = Date.now() + KEY_LIFETIME_MS;
    const order = { guildId, name: 'The check itself', scopes: SCOPES, expiresAtMs };
    return (await toolbox.keys.create(order, OPERATOR)).value;
  } finally {
    await toolbox.close();
  }
}

async function startPlatform(
  people: readonly SignInPerson[],
  closing: (() => Promise<void>)[],
): Promise<Record<string, string>> {
  const [clientId, clientSecret] = ['guildbook-fuzz', 'guildbook-fuzz-secret'];
  const platform = await startDemoPlatform({
    people,
    clientId,
    clientSecret,
    clock: systemClock,
    ids: systemIds,
    port: 0,
  });
  closing.push(platform.close);
  return {
    CHAT_CLIENT_ID: clientId,
    CHAT_CLIENT_SECRET: clientSecret,
    CHAT_AUTHORIZE_URL: platform.authorizeUrl,
    CHAT_TOKEN_URL: platform.tokenUrl,
    CHAT_API_URL: platform.apiUrl,
    CHAT_AVATAR_URL: platform.avatarUrl,
  };
}

/** Answers every delivery with 204. */
async function startReceiver(closing: (() => Promise<void>)[]): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  // A server that listens on a port, and not on a pipe, has an address with one.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function copyToPostgres(from: string, closing: (() => Promise<void>)[]): Promise<string> {
  const server = await createPostgresServer();
  closing.push(() => server.remove());
  const to = server.url('postgres');
  const program = path.join(ROOT, 'server/bin/guildbook.js');
  execFileSync(process.execPath, [program, '--quiet', 'copy', '--from', from, '--to', to], {
    stdio: 'inherit',
  });
  return to;
}
