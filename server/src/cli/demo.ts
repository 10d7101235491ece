import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { type DemoPlatform, startDemoPlatform } from '../chat-platform/demo.ts';
import { commandLine } from '../command-name.ts';
import { isPostgres, sqliteFile, storeExists } from '../compose/stores.ts';
import { type Service, systemClock, systemIds } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import { hashOfKeyValue } from '../domain/access/key-value.ts';
import { OperatorError } from '../domain/errors.ts';
import { SCOPES } from '../domain/model.ts';
import { SAMPLE_SEED } from '../sample-data/index.ts';
import { createSignInPeople, type SignInPerson } from '../sample-data/sign-in-people.ts';
import { makeSampleStore, type SampleHighlights } from './demo-store.ts';
import { keepChannelWebhook } from './demo-webhook.ts';
import { readCommandConfig } from './env-file.ts';
import { OPERATOR } from './operator.ts';
import { hasSampleData } from './sample-guilds.ts';
import { createLogger, listen, startService, untilStopped } from './serving.ts';
import { printStore } from './store-line.ts';
import { withToolbox } from './toolbox.ts';

const KEY_LIFETIME_MS = 365 * 86_400_000;
const DEMO_STORE = 'sqlite:./data/demo.db';
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

/** The demo's own values. They are stored beside its store, so that printed commands still work after a restart. */
interface DemoNotes extends SampleHighlights {
  key: string;
  /** The token of the bot's interface, unless BOT_TOKEN is set. */
  botToken: string;
  /** The webhook that delivers to the demo's channel. When somebody has deleted it, it is not created again. */
  webhookId?: string;
}

interface DemoStart {
  config: Config;
  botToken: string;
  /** Set when the sample store was created by this start. */
  fresh: SampleHighlights | undefined;
  platform: DemoPlatform;
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('try it out: serve on loopback with sample data, made once and kept')
    .action(async (_options: object, command: Command) => {
      const people = createSignInPeople({ seed: SAMPLE_SEED });
      const own = readDemoConfig(command);
      if (own.databaseUrl !== DEMO_STORE && storeExists(own)) {
        await assertSamples(command);
      } else {
        printStore(command, own.databaseUrl);
      }
      const { config, platform } = await withDemoPlatform(own, people);
      try {
        await serveDemo(config, people, platform);
      } finally {
        await platform.close();
      }
    });
}

async function serveDemo(
  config: Config,
  people: readonly SignInPerson[],
  platform: DemoPlatform,
): Promise<void> {
  const highlights = await makeSampleStore(config);
  const logger = createLogger(process.env.LOG_LEVEL === undefined ? 'warn' : config.logLevel);
  const { channelUrl } = platform;
  const botToken = readNotes(notesFile(config))?.botToken ?? makeSecret();
  const served = { ...config, botToken: config.botToken ?? botToken };
  const service = await startService(served, logger, { channelUrl });
  const notes = await notesOrClose(service, { config, botToken, fresh: highlights, platform });
  const address = await listen(service, config);
  const places = { address, channelUrl, botToken: served.botToken };
  console.log(notes === undefined ? plainWelcome(places, config) : welcome(places, notes, people));
  await untilStopped(service, config, logger);
}

/** Closes the service when its notes cannot be read or written: its threads would keep a failed start alive. */
async function notesOrClose(service: Service, start: DemoStart): Promise<DemoNotes | undefined> {
  try {
    return await keepNotes(service, start);
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * The demo has a store of its own, so that a real store never gets sample data. Its keys are public, so it listens on
 * this machine only.
 */
function readDemoConfig(command: Command): Config {
  const config = readCommandConfig(command, ({ DATABASE_URL, METRICS_PORT, ...rest }) =>
    readConfig({
      ...rest,
      DATABASE_URL: DATABASE_URL || DEMO_STORE,
      // Off unless it is set: two demos on one machine would compete for the default port.
      METRICS_PORT: METRICS_PORT || 'off',
    }),
  );
  if (!LOOPBACK_HOSTS.includes(config.host)) {
    throw new OperatorError(
      `the demo serves on loopback only, not on ${config.host}: use "${commandLine('serve')}"`,
    );
  }
  if (isPostgres(config)) {
    throw new OperatorError('the demo makes its samples in the embedded store: leave DATABASE_URL out');
  }
  return config;
}

/** Checked before anything is upgraded or added. */
async function assertSamples(command: Command): Promise<void> {
  if (!(await withToolbox(command, 'expect', ({ store }) => hasSampleData(store)))) {
    throw new OperatorError(
      "DATABASE_URL names a store that is not the demo's, which leaves all others alone\n" +
        '  Leave DATABASE_URL out, or name a file that does not exist yet.',
    );
  }
}

/** The service uses the demo platform like any other: by its addresses, an id and a secret. */
async function withDemoPlatform(
  config: Config,
  people: readonly SignInPerson[],
): Promise<{ config: Config; platform: DemoPlatform }> {
  const clientId = 'guildbook-demo';
  const clientSecret = makeSecret();
  const platform = await startDemoPlatform({
    people,
    clientId,
    clientSecret,
    clock: systemClock,
    ids: systemIds,
    port: config.port === 0 ? 0 : config.port + 1,
  });
  return {
    platform,
    config: {
      ...config,
      chatClientId: clientId,
      chatClientSecret: clientSecret,
      chatAuthorizeUrl: platform.authorizeUrl,
      chatTokenUrl: platform.tokenUrl,
      chatApiUrl: platform.apiUrl,
      // The channel is on this machine, and so are the receivers that people try.
      webhookAllowedNetworks: [...config.webhookAllowedNetworks, '127.0.0.1'],
    },
  };
}

/**
 * Finds the demo's key, or creates one. The value is stored in a file that only its owner may read: it opens sample
 * data on this machine and nothing else.
 */
async function keepNotes(service: Service, start: DemoStart): Promise<DemoNotes | undefined> {
  const { config, botToken, fresh, platform } = start;
  const file = notesFile(config);
  const kept = fresh === undefined ? readNotes(file) : undefined;
  const highlights = fresh ?? kept;
  if (highlights === undefined) {
    return undefined;
  }
  const key = kept !== undefined && (await isUsable(service, kept.key)) ? kept.key : undefined;
  const notes = {
    ...highlights,
    key: key ?? (await createDemoKey(service, highlights)),
    botToken,
    webhookId: await keepChannelWebhook(service, { ...highlights, url: platform.webhookUrl }),
  };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(notes, null, 2)}\n`, { mode: 0o600 });
  return notes;
}

function notesFile(config: Config): string {
  return path.join(path.dirname(sqliteFile(config)), 'demo.json');
}

function makeSecret(): string {
  return Buffer.from(systemIds.randomBytes(32)).toString('base64url');
}

async function createDemoKey(service: Service, { guildId }: SampleHighlights): Promise<string> {
  const expiresAtMs = Date.now() + KEY_LIFETIME_MS;
  const order = { guildId, name: 'Demo key', scopes: SCOPES, expiresAtMs };
  return (await service.keys.create(order, OPERATOR)).value;
}

function readNotes(file: string): DemoNotes | undefined {
  try {
    const notes: Partial<DemoNotes> | null = JSON.parse(readFileSync(file, 'utf8'));
    const { key, guildId, guildName, playerId, username } = notes ?? {};
    const isWhole = [key, guildId, guildName, playerId, username].every((value) => typeof value === 'string');
    return isWhole ? (notes as DemoNotes) : undefined;
  } catch {
    // Missing or damaged: the store is served without a demo key.
    return undefined;
  }
}

async function isUsable(service: Service, value: string): Promise<boolean> {
  const key = await service.store.keys.findByHash(hashOfKeyValue(value));
  return key !== undefined && key.expiresAtMs > Date.now();
}

interface Places {
  address: string;
  channelUrl: string;
  botToken: string;
}

function welcome(
  { address, channelUrl, botToken }: Places,
  notes: DemoNotes,
  people: readonly SignInPerson[],
): string {
  const { key, guildName, playerId, username } = notes;
  const post = `{"playerId":"${playerId}","name":"Iron Ingot","quantity":3,"amount":12.5,"source":"shop"}`;
  return `
Guildbook is running with sample data.

  Dashboard  ${address}/dashboard/
  Reference  ${address}/docs
  Channel    ${channelUrl}
             (a chat channel that Guildbook writes to, for the webhooks page)
  Demo key   ${key}
             (opens ${guildName}, all scopes)
  Bot token  ${botToken}
             (for the paths under /bot, which write records of all guilds)

Sign in to the dashboard as one of them:

${people.map((person) => `  ${person.username.padEnd(20)}  ${person.about}`).join('\n')}

Try it:

  curl -H 'x-api-key: ${key}' ${address}/users/${encodeURIComponent(username)}

  curl -H 'x-api-key: ${key}' '${address}/guild/ledger/${playerId}/transactions?limit=3'

  curl -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${post}' ${address}/guild/ledger

Stop it with Ctrl-C. Everything is kept beside the store.
`;
}

/** For a store whose notes, and with them the value of its key, are lost. */
function plainWelcome({ address, botToken }: Places, { databaseUrl }: Config): string {
  return `
Guildbook is running with sample data. Its demo key is not known any more; to make another key:

  DATABASE_URL=${databaseUrl} ${commandLine('guild list')}
  DATABASE_URL=${databaseUrl} ${commandLine('key create --help')}

  Dashboard  ${address}/dashboard/
  Reference  ${address}/docs
  Bot token  ${botToken}

Stop it with Ctrl-C.
`;
}
