import { once } from 'node:events';
import type { Server } from 'node:http';
import type { BaseLogger } from 'pino';
import type { ApiKeys } from '../domain/access/api-keys.ts';
import type { Guilds } from '../domain/access/guilds.ts';
import type { Sessions } from '../domain/access/sessions.ts';
import type { SignIns } from '../domain/access/sign-ins.ts';
import type { ChatInteractions } from '../domain/chat/interaction.ts';
import type { Dashboard } from '../domain/dashboard.ts';
import type { Clock, RateLimiter, Store } from '../domain/ports.ts';
import type { Rules } from '../domain/rules.ts';
import type { Seals } from '../domain/seal/seals.ts';
import type { Webhooks } from '../domain/webhooks/webhooks.ts';
import type { BotTokens } from './access/bot.ts';
import { answerClientError } from './client-error.ts';
import { createHttpServer } from './http-server.ts';
import { createLifetimes, type Lifetimes } from './lifetimes.ts';
import type { Metrics } from './metrics.ts';
import { originOf } from './origin.ts';
import { createReadyCheck, EVENT_LOOP_DELAY_MAX_MS, watchOverload } from './overload.ts';
import { type AddEndpoint, createPipeline } from './pipeline.ts';

/** The dependencies of the application: the rules, adapters and settings. */
export interface AppParts extends Rules {
  keys: ApiKeys;
  /** True when guilds may change verifications. */
  editsVerifications: boolean;
  webhooks: Webhooks;
  seals: Seals;
  limiter: RateLimiter;
  metrics: Metrics;
  logger: BaseLogger;
  checkReady: () => Promise<void>;
  /** True when the service is about to stop, so that each connection is closed with its next answer. */
  isStopping: () => boolean;
  commandsRequireKey: boolean;
  /** The tokens of the operator's bot; without them the bot's paths do not exist. */
  botTokens: BotTokens | undefined;
  signIn: SignInParts;
  /** The commands of the chat platform; without its application their path does not exist. */
  chatInteractions: ChatInteractions | undefined;
  /** The origin under which browsers reach us, when it is not the one we listen on. */
  publicOrigin: string | undefined;
  host: string;
  port: number;
  keyLifetimeDaysMax: number;
  /** The size of the cache of answers about the ledger. */
  ledgerCacheBytes: number;
  guilds: Guilds;
  store: Store;
  clock: Clock;
  /** Addresses of proxies whose forwarding headers are believed. */
  trustedProxies: readonly string[];
  /** Delay of the event loop above which requests are refused; 0 never refuses. The default is EVENT_LOOP_DELAY_MAX_MS. */
  eventLoopDelayMaxMs: number | undefined;
  /** A client that reads nothing of its answer for this long is disconnected. */
  stalledMs: number | undefined;
  /** The page of the demo's chat channel. */
  channelUrl: string | undefined;
  /** The folder of the built web pages. */
  pagesRoot: string;
}

/** The dependencies of signing in. Without a chat platform nobody can begin a sign-in, and no session is found. */
export interface SignInParts {
  signIns: SignIns | undefined;
  sessions: Sessions;
  dashboard: Dashboard;
}

/** The application: Node's server with everything that answers its requests. */
export interface App {
  server: Server;
  /** Listens, and returns the origin under which the service is reached on this machine. */
  listen(options: { host: string; port: number }): Promise<string>;
  /** Accepts nothing new, and waits for the requests under way. */
  close(): Promise<void>;
}

/** The dependencies of routes. */
export interface RouteParts extends AppParts {
  lifetimes: Lifetimes;
  /** The origin that we listen on. */
  origin: () => string;
}

/** Adds the routes of an application. */
export type AddRoutes = (add: AddEndpoint, parts: RouteParts) => void;

/** Builds an application that serves the given routes, without listening. Tests use this very function. */
export function buildApp(parts: AppParts, addRoutes: AddRoutes): App {
  const overload = watchOverload(parts.eventLoopDelayMaxMs ?? EVENT_LOOP_DELAY_MAX_MS);
  const { isOverloaded } = overload;
  const hasLongRequests = hasImports(parts);
  const lifetimes = createLifetimes();
  const pipeline = createPipeline({ ...parts, lifetimes, isOverloaded, hasLongRequests });
  const server = createHttpServer(pipeline.handle, { ...parts, hasLongRequests });
  server.on('clientError', answerClientError);
  parts.metrics.watchRequests(lifetimes);
  parts.metrics.watchConnections(() => countConnections(server));
  const origin = () => originOf(server.address(), parts);
  const checkReady = createReadyCheck(parts.checkReady, isOverloaded);
  addRoutes(pipeline.add, { ...parts, lifetimes, origin, checkReady });
  return {
    server,
    async listen({ host, port }) {
      server.listen({ host, port });
      await once(server, 'listening');
      parts.logger.info(`Server listening at ${origin()}`);
      return origin();
    },
    async close() {
      overload.stop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** Imports are the only requests that may take longer than seconds. */
function hasImports({ botTokens }: AppParts): boolean {
  return botTokens !== undefined;
}
