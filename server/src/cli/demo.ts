import type { Command } from 'commander';
import { commandLine } from '../command-name.ts';
import { isPostgres, storeExists } from '../compose/stores.ts';
import { type Service, systemClock, systemIds } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import { type DemoNotes, type DemoStart, keepNotes, makeSecret, readNotes } from '../demo/notes.ts';
import { type DemoPlatform, startDemoPlatform } from '../demo/platform/platform.ts';
import { SAMPLE_SEED } from '../demo/sample-data/index.ts';
import {
  createChatGuilds,
  createSignInPeople,
  NEWCOMER,
  type SignInPerson,
} from '../demo/sample-data/sign-in-people.ts';
import { hasSampleData } from '../demo/sample-guilds.ts';
import { makeSampleStore } from '../demo/sample-store.ts';
import { plainWelcome, welcome } from '../demo/welcome.ts';
import { OperatorError } from '../domain/errors.ts';
import { readCommandConfig } from './env-file.ts';
import { OPERATOR } from './operator.ts';
import { createLogger, listen, startService, untilStopped } from './serving.ts';
import { printStore } from './store-line.ts';
import { withToolbox } from './toolbox.ts';

const DEMO_STORE = 'sqlite:./data/demo.db';
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

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
  const highlights = await makeSampleStore(config, {
    actor: OPERATOR,
    onMake: () => console.log('Making sample data, this once ...'),
  });
  const logger = createLogger(process.env.LOG_LEVEL === undefined ? 'warn' : config.logLevel);
  const { channelUrl, webhookUrl } = platform;
  const botToken = readNotes(config)?.botToken ?? makeSecret();
  const served = { ...config, botToken: config.botToken ?? botToken };
  let origin: string | undefined;
  const service = await startService(served, logger, { channelUrl, ownOrigin: () => origin });
  const notes = await notesOrClose(service, {
    config,
    botToken,
    fresh: highlights,
    webhookUrl,
    actor: OPERATOR,
  });
  const address = await listen(service, config);
  origin = new URL(address).origin;
  platform.connect(address);
  const boardUrl = notes && (await findBoard(service, notes.guildId, address));
  const places = { address, channelUrl, boardUrl, botToken: served.botToken };
  console.log(notes === undefined ? plainWelcome(places, config) : welcome(places, notes, people));
  await untilStopped(service, config, logger);
}

/** The address of a guild's public page; undefined when it has none. */
async function findBoard(
  { guilds, store }: Service,
  guildId: string,
  address: string,
): Promise<string | undefined> {
  const board = await store.boards.find(await guilds.find(guildId));
  return board?.isPublished === true ? `${address}/board/${board.name}` : undefined;
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
  const chatBotToken = makeSecret();
  const platform = await startDemoPlatform({
    people,
    newcomer: NEWCOMER,
    guilds: createChatGuilds({ seed: SAMPLE_SEED }),
    botToken: chatBotToken,
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
      chatAvatarUrl: platform.avatarUrl,
      chatBotToken,
      chatApplicationId: platform.applicationId,
      chatPublicKey: platform.publicKey,
      // The channel is on this machine, and so are the receivers that people try.
      webhookAllowedNetworks: [...config.webhookAllowedNetworks, '127.0.0.1'],
    },
  };
}
