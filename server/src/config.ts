import { CHAT_SETTINGS, type ChatConfig } from './config/chat.ts';
import { combinationFaults } from './config/combinations.ts';
import { RETENTION_SETTINGS } from './config/retention.ts';
import { ConfigError, type EnvironmentVariables, type Setting, sourceOf } from './config/setting.ts';
import {
  addresses,
  boolean,
  databaseUrl,
  integer,
  integerOrOff,
  longSecret,
  oneOf,
  postgresUrl,
  publicUrl,
  redisUrl,
  withoutPassword,
} from './config/values.ts';
import { PLANS, type Plan } from './domain/model.ts';
import type { RetentionDays } from './domain/retention/retention.ts';

export { ConfigError, type EnvironmentVariables, type Setting, sourceOf } from './config/setting.ts';

/** The settings from the environment. The table below is their only description. */
export interface Config extends RetentionDays, ChatConfig {
  host: string;
  port: number;
  metricsHost: string;
  /** Undefined when metrics are switched off. */
  metricsPort: number | undefined;
  publicUrl: string | undefined;
  databaseUrl: string;
  readDatabaseUrl: string | undefined;
  redisUrl: string | undefined;
  botToken: string | undefined;
  botTokenPrevious: string | undefined;
  secretKey: string | undefined;
  secretKeyPrevious: string | undefined;
  commandsRequireKey: boolean;
  keyLifetimeDaysMax: number;
  ledgerCacheMb: number;
  editsVerifications: boolean;
  defaultPlan: Plan;
  trustedProxies: readonly string[];
  webhookAllowedNetworks: readonly string[];
  drainDelaySeconds: number;
  logLevel: string;
}

type Settings = { readonly [Field in keyof Config]: Setting<Config[Field]> };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const SETTINGS: Settings = {
  host: {
    name: 'HOST',
    defaultText: '127.0.0.1',
    doc: 'Address to listen on. Use 0.0.0.0 or :: to be reached from other machines.',
    form: 'host name or IP address',
    parse: (text) => text,
  },
  port: {
    name: 'PORT',
    defaultText: '3000',
    doc: 'Port to listen on; 0 takes any free one.',
    form: 'integer from 0 to 65535',
    parse: integer({ min: 0, max: 65_535 }),
  },
  metricsHost: {
    name: 'METRICS_HOST',
    defaultText: '127.0.0.1',
    doc: 'Address on which `/metrics` is served. Whoever reaches it needs no password: keep it to loopback or to an internal network.',
    form: 'host name or IP address',
    parse: (text) => text,
  },
  metricsPort: {
    name: 'METRICS_PORT',
    defaultText: '9464',
    doc: 'Port on which `/metrics` is served, and nothing else; 0 takes any free one, off serves no metrics. Each service on a machine needs its own. `demo` serves none unless this is set.',
    form: 'integer from 0 to 65535, or off',
    parse: integerOrOff({ min: 0, max: 65_535 }),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    defaultText: undefined,
    doc: 'Address under which users reach the service, when it differs from HOST and PORT.',
    form: 'http or https address without a path',
    parse: publicUrl,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    defaultText: 'sqlite:./data/guildbook.db',
    doc: 'Where everything is kept: the file of the embedded store, relative to the working directory, or a PostgreSQL database (see [scaling](scaling.md)).',
    form: 'sqlite:<file>, or postgres://user:password@host:port/database',
    show: withoutPassword,
    parse: databaseUrl,
  },
  readDatabaseUrl: {
    name: 'READ_DATABASE_URL',
    defaultText: undefined,
    doc: 'The same PostgreSQL database on a streaming replica, which answers the pages of the dashboard, exports and feeds while it is current (see [scaling](scaling.md)). Without it DATABASE_URL answers them.',
    form: 'postgres://user:password@host:port/database',
    show: withoutPassword,
    parse: postgresUrl,
  },
  redisUrl: {
    name: 'REDIS_URL',
    defaultText: undefined,
    doc: 'A Redis or Valkey through which all instances share their rate limits. Without it each instance limits on its own.',
    form: 'redis[s]://[user:password@]host[:port][/number]',
    isSecret: true,
    parse: redisUrl,
  },
  botToken: {
    name: 'BOT_TOKEN',
    defaultText: undefined,
    doc: "The token with which the operator's bot writes records through /bot. Without it those paths do not exist.",
    form: 'at least 32 printable characters',
    isSecret: true,
    parse: longSecret,
  },
  botTokenPrevious: {
    name: 'BOT_TOKEN_PREVIOUS',
    defaultText: undefined,
    doc: 'The token before BOT_TOKEN, accepted beside it until the bot has the new one.',
    form: 'at least 32 printable characters',
    isSecret: true,
    parse: longSecret,
  },
  ...CHAT_SETTINGS,
  secretKey: {
    name: 'SECRET_KEY',
    defaultText: undefined,
    doc: "Encrypts the secrets of webhooks, the key of sealed ledgers and the chat platform's tokens at rest. Keep it: with another key webhooks deliver nothing until each gets a new secret (see [operations](operations.md#the-secret-key)). When absent, one is made and kept in secret.key beside the embedded store; with PostgreSQL `serve` needs it given, the same to every instance.",
    form: 'at least 32 printable characters',
    isSecret: true,
    parse: longSecret,
  },
  secretKeyPrevious: {
    name: 'SECRET_KEY_PREVIOUS',
    defaultText: undefined,
    doc: 'The key before SECRET_KEY. `serve` encrypts everything that only this key reads with SECRET_KEY when it starts, and logs it; then this setting can be removed.',
    form: 'at least 32 printable characters',
    isSecret: true,
    parse: longSecret,
  },
  commandsRequireKey: {
    name: 'COMMANDS_REQUIRE_KEY',
    defaultText: 'false',
    doc: 'Whether GET /commands asks for a valid key. Without it the list is public.',
    form: 'true or false',
    parse: boolean,
  },
  keyLifetimeDaysMax: {
    name: 'KEY_LIFETIME_DAYS_MAX',
    defaultText: '366',
    doc: 'How far ahead the expiry of a new key may lie, in days.',
    form: 'integer from 1 to 3660',
    parse: integer({ min: 1, max: 3_660 }),
  },
  ledgerCacheMb: {
    name: 'LEDGER_CACHE_MB',
    defaultText: '40',
    doc: 'How much memory each worker may use for cached answers about ledgers, in megabytes: history, feed, transactions by id, accounts.',
    form: 'integer from 1 to 10000',
    parse: integer({ min: 1, max: 10_000 }),
  },
  ...RETENTION_SETTINGS,
  editsVerifications: {
    name: 'GUILD_EDITS_VERIFICATIONS',
    defaultText: 'false',
    doc: 'Whether the managers of a guild may change and remove the verifications of its members in the dashboard. Verifications count in every guild.',
    form: 'true or false',
    parse: boolean,
  },
  defaultPlan: {
    name: 'DEFAULT_PLAN',
    defaultText: 'none',
    doc: 'The plan of a guild that is set up without naming one. Keys need developer or enterprise.',
    form: PLANS.join(', '),
    parse: oneOf(PLANS),
  },
  trustedProxies: {
    name: 'TRUST_PROXY',
    defaultText: '',
    doc: 'Proxies whose X-Forwarded-For is believed, separated by commas. None by default.',
    form: 'IP addresses or CIDR ranges',
    parse: addresses,
  },
  webhookAllowedNetworks: {
    name: 'WEBHOOK_ALLOWED_NETWORKS',
    defaultText: '',
    doc: 'Networks that webhooks may be delivered to although they are not on the public Internet, separated by commas, such as 127.0.0.0/8. There plain http is allowed too. None by default.',
    form: 'IP addresses or CIDR ranges',
    parse: addresses,
  },
  drainDelaySeconds: {
    name: 'DRAIN_DELAY_SECONDS',
    defaultText: '0',
    doc: 'How long a stopping service goes on accepting while /readyz says no, so that a load balancer can notice first.',
    form: 'integer from 0 to 5',
    parse: integer({ min: 0, max: 5 }),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    defaultText: 'info',
    doc: 'How much is logged, as JSON lines on standard output. debug has a line for each request.',
    form: LOG_LEVELS.join(', '),
    parse: oneOf(LOG_LEVELS),
  },
};

/** The settings of a command. `readServeConfig` adds the checks that only serving needs. */
export function readConfig(environment: EnvironmentVariables): Config {
  return readSettings(environment, () => []);
}

export function readServeConfig(environment: EnvironmentVariables): Config {
  return readSettings(environment, ({ databaseUrl, secretKey }) =>
    databaseUrl?.startsWith('postgres') && secretKey === undefined
      ? ['SECRET_KEY: is needed with PostgreSQL, the same one for every instance']
      : [],
  );
}

/** Throws all errors at once. `findFaults` gets undefined for a value that does not parse. */
function readSettings(
  environment: EnvironmentVariables,
  findFaults: (config: Partial<Config>) => string[],
): Config {
  const faults: string[] = [];
  const values = Object.entries<Setting>(SETTINGS).map(([field, setting]) => {
    const { text } = sourceOf(setting, environment);
    try {
      return [field, text === undefined ? undefined : setting.parse(text)];
    } catch (error) {
      faults.push(`${setting.name}: ${error instanceof Error ? error.message : String(error)}`);
      return [field, undefined];
    }
  });
  // Every field was parsed by its own setting of the table, which has the field's type.
  const config = Object.fromEntries(values) as Config;
  faults.push(...combinationFaults(environment), ...findFaults(config));
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return config;
}
