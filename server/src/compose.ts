import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAnswering, openInteractions } from './compose/chat-commands.ts';
import { createDirectory, openPictureHost } from './compose/chat-platform.ts';
import { closeApp } from './compose/close-app.ts';
import { createUsageFlush } from './compose/key-usage-flush.ts';
import { createLimiter } from './compose/limiter.ts';
import { type OnFailure, openInSteps } from './compose/opening.ts';
import { type RetentionEnvironment, startRetention } from './compose/retention.ts';
import { type SealEnvironment, startSeals } from './compose/seal.ts';
import { createOperatorKeyring } from './compose/secret-key.ts';
import { createSignInParts } from './compose/sign-in.ts';
import { logWorker, logWritability } from './compose/store-log.ts';
import { prepareSecrets } from './compose/stored-secrets.ts';
import { openStore } from './compose/stores.ts';
import { createUpgradeLog } from './compose/upgrade-log.ts';
import { startWebhooks, type WebhookEnvironment } from './compose/webhooks.ts';
import type { Config } from './config.ts';
import { type ApiKeys, createApiKeys } from './domain/access/api-keys.ts';
import { createGuilds, type Guilds } from './domain/access/guilds.ts';
import { createKeyRequests } from './domain/access/key-requests.ts';
import { createKeyUsage } from './domain/access/key-usage.ts';
import { BUILT_IN_COMMANDS } from './domain/chat/commands.ts';
import { DomainError } from './domain/errors.ts';
import type { Clock, IdSource, Store } from './domain/ports.ts';
import { createRules } from './domain/rules.ts';
import type { Webhooks } from './domain/webhooks/webhooks.ts';
import type { Metrics } from './http/metrics.ts';
import type { App, AppParts } from './http/server.ts';
import type { UpgradeOptions } from './store/operations/migrate.ts';

const KEY_USAGE_FLUSH_MS = 2_000;
const BYTES_PER_MB = 1_000_000;
/** When the WAL is larger than this, exports of records are ended: they keep it from being truncated. */
const READING_WAL_BYTES_MAX = 96 * 1024 * 1024;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export const systemIds: IdSource = {
  uuid: () => randomUUIDv7(),
  randomBytes: (count) => randomBytes(count),
};

/** Waits without keeping the process alive. */
const pauseIdle = (durationMs: number) => pause(durationMs, undefined, { ref: false });

/** Dependencies besides the configuration, which tests can replace. */
export interface ServiceEnvironment extends WebhookEnvironment, RetentionEnvironment, SealEnvironment {
  /** Time limit for answers of Redis, if not the default. */
  redisWaitMs?: number;
  /** Time limit for answers of the chat platform, if not the default. */
  chatTimeoutMs?: number;
  /** Time after which the reply to a command is deferred, if not the default. */
  chatDeferMs?: number | undefined;
  /** Time limit for a picture of the chat platform, if not the default. */
  pictureTimeoutMs?: number;
  /** Delay of the event loop from which requests are refused, if not the default; 0 never refuses. */
  eventLoopDelayMaxMs?: number | undefined;
  /** Time limit for a client that reads nothing of its answer, if not the default. */
  stalledMs?: number | undefined;
  /** How often the use of keys is written, if not the default. */
  keyUsageFlushMs?: number | undefined;
  /** The folder of the built web pages, if not the default. */
  pagesRoot?: string | undefined;
  /** The page of the demo's chat channel; a real service has none. */
  channelUrl?: string | undefined;
  /** The origin of the demo, which is known once it listens. A real service has `PUBLIC_URL` instead. */
  ownOrigin?: (() => string | undefined) | undefined;
  /** Set when several processes serve together: this one's name, and how to get the metrics of all of them. */
  worker?: { name: string; gatherMetrics: () => Promise<string> } | undefined;
  /** Creates the copy that is kept before an SQLite store is upgraded. Without it no copy is kept. */
  keepCopy?: UpgradeOptions['keepCopy'];
  /** Called when the store's files can no longer be trusted: the process should end. */
  onFatal: (error: Error) => void;
}

/** The parts that commands use directly. */
export interface Toolbox {
  store: Store;
  guilds: Guilds;
  keys: ApiKeys;
  close(): Promise<void>;
}

export interface Service extends Toolbox {
  app: App;
  /** Serves the metrics on an address of its own. */
  metricsApp: App;
  webhooks: Webhooks;
  metrics: Metrics;
  /** From now on the service reports not ready and asks clients to close connections, but still answers requests. */
  stopAccepting(): void;
}

/** Opens the store and the services directly above it, without HTTP. A store of an older version is refused. */
export async function openToolbox(
  config: Config,
  environment: ServiceEnvironment,
  schema: 'create' | 'expect' = 'create',
): Promise<Toolbox> {
  const store = await openStore(config, { schema, onFatal: environment.onFatal });
  const { guilds, keys } = createAccess(config, environment, store);
  return { store, guilds, keys, close: () => store.close() };
}

/** Builds the whole service without listening. When a step fails, nothing stays open. */
export function composeService(config: Config, environment: ServiceEnvironment): Promise<Service> {
  return openInSteps(async (onFailure) => {
    // Imported here, because short commands do not need it and start in half the time without.
    const { buildApp } = await import('./http/server.ts');
    const { addRoutes } = await import('./http/routes.ts');
    const opened = await openParts(config, environment, onFailure);
    return assembleService(opened, buildApp(opened.appParts, addRoutes));
  });
}

/** A service without its HTTP application. */
export interface OpenedParts extends Omit<Service, 'app'> {
  appParts: AppParts;
  /** Stops the deliveries of webhooks; call it before `close`. */
  stopWebhooks(): Promise<void>;
}

/** Builds a service from its parts and the application that was built with them. */
export function assembleService({ appParts: _, stopWebhooks, ...opened }: OpenedParts, app: App): Service {
  return {
    ...opened,
    app,
    async close() {
      opened.stopAccepting();
      await Promise.all([closeApp(app), stopWebhooks()]);
      await opened.close();
    },
  };
}

/** Opens the store and all dependencies of an application. `onFailure` gets what to close when a later step fails. */
export async function openParts(
  config: Config,
  environment: ServiceEnvironment,
  onFailure: OnFailure,
): Promise<OpenedParts> {
  const { logger, worker, onFatal } = environment;
  const { createMetrics } = await import('./http/metrics.ts');
  const { buildMetricsApp } = await import('./http/metrics-app.ts');
  const metrics = createMetrics(worker?.name);
  const store = await openStore(config, {
    schema: 'upgrade',
    upgrade: { onEvent: createUpgradeLog(logger), keepCopy: environment.keepCopy },
    onFatal,
    onBatch: metrics.recordBatch,
    onCommit: metrics.recordCommit,
    onKeyLookup: metrics.recordKeyLookup,
    ...metrics.connectionEvents,
    onUnwritable: (reason) => logWritability(logger, reason),
    onWorker: (event) => logWorker(logger, event),
    readingWalBytesMax: READING_WAL_BYTES_MAX,
  });
  onFailure(() => store.close());
  metrics.watchStore(store.figures, environment.clock);
  const { guilds, keys, usage, requests } = createAccess(config, environment, store);
  const limiter = await createLimiter(config, environment, { metrics, instances: store.instances });
  onFailure(() => limiter.close());
  const keyring = createOperatorKeyring(config, environment.ids);
  metrics.watchUnreadableSecrets(await prepareSecrets(config, environment, { store, keyring }));
  const { webhooks, stop: stopWebhooks } = startWebhooks(config, environment, {
    store,
    limiter,
    sealer: keyring,
    onAttempt: metrics.recordWebhookAttempt,
  });
  onFailure(stopWebhooks);
  const retention = startRetention(config, environment, store);
  onFailure(retention.stop);
  const pictures = await openPictureHost(config, environment);
  onFailure(async () => pictures.close());
  const sealing = await startSeals(config, environment, { store, keyring });
  onFailure(sealing.stop);
  let isStopping = false;
  const readText = worker?.gatherMetrics ?? metrics.text;
  const metricsApp = buildMetricsApp({ ...environment, metrics, readText, isStopping: () => isStopping });
  const rules = createRules(environment, {
    store,
    guilds,
    editsVerifications: config.editsVerifications,
    directory: await createDirectory(config, environment),
    pictureHost: pictures.host,
    builtInCommands: isAnswering(config) ? BUILT_IN_COMMANDS : [],
    pause: pauseIdle,
  });
  const chat = await openInteractions(config, environment, {
    store,
    rules,
    seals: sealing.seals,
    limiter,
    onRateLimited: metrics.recordRateLimited,
    pause: pauseIdle,
  });
  onFailure(async () => chat.close());
  const appParts = {
    ...rules,
    ...settingsOf(config, environment),
    keys,
    guilds,
    webhooks,
    seals: sealing.seals,
    store,
    limiter,
    metrics,
    async checkReady() {
      if (isStopping) {
        throw new DomainError('store_unavailable', { retryAfterSeconds: 5 });
      }
      await store.check();
    },
    isStopping: () => isStopping,
    chatInteractions: chat.interactions,
    signIn: await createSignInParts(config, environment, { store, keys, keyring }),
  };
  const flushUsage = createUsageFlush(logger);
  const timer = setInterval(
    () => flushUsage(() => Promise.all([usage.flush(), requests.flush()])),
    environment.keyUsageFlushMs ?? KEY_USAGE_FLUSH_MS,
  ).unref();
  return {
    appParts,
    stopWebhooks,
    metricsApp,
    webhooks,
    metrics,
    store,
    guilds,
    keys,
    stopAccepting() {
      isStopping = true;
    },
    async close() {
      clearInterval(timer);
      pictures.close();
      chat.close();
      await retention.stop();
      await sealing.stop();
      // After the application, so that operators can watch the pending requests finish.
      await closeApp(metricsApp);
      await limiter.close();
      await flushUsage(() => Promise.all([usage.flushAll(), requests.flush()]));
      await store.close();
    },
  };
}

/** The settings of the application, from the configuration and the environment. */
function settingsOf(config: Config, environment: ServiceEnvironment) {
  const { clock, logger, eventLoopDelayMaxMs, stalledMs, channelUrl } = environment;
  const { commandsRequireKey, publicUrl, host, port, keyLifetimeDaysMax, trustedProxies } = config;
  const { editsVerifications, botToken, botTokenPrevious } = config;
  return {
    clock,
    logger,
    eventLoopDelayMaxMs,
    stalledMs,
    channelUrl,
    commandsRequireKey,
    botTokens: botToken === undefined ? undefined : { present: botToken, previous: botTokenPrevious },
    publicOrigin: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
    host,
    port,
    keyLifetimeDaysMax,
    editsVerifications,
    ledgerCacheBytes: config.ledgerCacheMb * BYTES_PER_MB,
    trustedProxies,
    pagesRoot: environment.pagesRoot ?? fileURLToPath(new URL('../pages', import.meta.url)),
  };
}

function createAccess(config: Config, { clock, ids }: ServiceEnvironment, store: Store) {
  const guilds = createGuilds({ store: store.guilds, clock, defaultPlan: config.defaultPlan });
  const usage = createKeyUsage(store.keys, clock);
  const requests = createKeyRequests(store.requests);
  const lifetimeDaysMax = config.keyLifetimeDaysMax;
  const { keys: keyStore, webhooks } = store;
  const keys = createApiKeys({
    store: keyStore,
    webhooks,
    guilds,
    usage,
    requests,
    requestStore: store.requests,
    clock,
    ids,
    lifetimeDaysMax,
  });
  return { guilds, keys, usage, requests };
}
