import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import cookie from '@fastify/cookie';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import type { ApiKeys } from '../domain/api-keys.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { Commands } from '../domain/commands.ts';
import type { Dashboard } from '../domain/dashboard.ts';
import { DomainError } from '../domain/errors.ts';
import type { GuildLedger } from '../domain/guild-ledger.ts';
import type { GuildPeople } from '../domain/guild-people.ts';
import type { GuildRecords } from '../domain/guild-records.ts';
import type { Guilds } from '../domain/guilds.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Clock, RateLimiter, Store } from '../domain/ports.ts';
import type { Records } from '../domain/records.ts';
import type { Sessions } from '../domain/sessions.ts';
import type { SignIns } from '../domain/sign-ins.ts';
import type { Verifications } from '../domain/verifications.ts';
import './augment.ts';
import { BODY_BYTES_MAX, BODY_TIMEOUT_MS, startBodyDeadline } from './body-deadline.ts';
import { answerClientError, answerExpectation } from './client-error.ts';
import { createCsvDownloads } from './csv-download.ts';
import { createDirectLane } from './direct/lane.ts';
import { sendError } from './error-reply.ts';
import { parseJson } from './json-body.ts';
import type { Metrics } from './metrics.ts';
import { buildOpenApi } from './openapi.ts';
import { originOf } from './origin.ts';
import { addOverloadGuard, createReadyCheck, EVENT_LOOP_DELAY_MAX_MS } from './overload.ts';
import { isProperlyEncoded, parseQueryString } from './query-string.ts';
import { createRequestIds } from './request-id.ts';
import { createRequestLog } from './request-log.ts';
import { addBotRoutes } from './routes/bot.ts';
import { addBotImportRoute } from './routes/bot-import.ts';
import { addCommandRoutes } from './routes/commands.ts';
import { addDashboardRoutes } from './routes/dashboard.ts';
import { addDashboardAuditRoutes } from './routes/dashboard-audit.ts';
import { addDashboardLedgerRoutes } from './routes/dashboard-ledger.ts';
import { addDashboardPeopleRoutes } from './routes/dashboard-people.ts';
import { addDashboardRecordRoutes } from './routes/dashboard-records.ts';
import { ENDPOINTS } from './routes/index.ts';
import { addLedgerRoutes } from './routes/ledger.ts';
import { addOperationRoutes } from './routes/operations.ts';
import { addPageRoutes } from './routes/pages.ts';
import { addRecordRoutes } from './routes/records.ts';
import { addSignInRoutes } from './routes/sign-in.ts';
import { addUserRoutes } from './routes/users.ts';
import { createSessionCookies } from './session-cookies.ts';
import { shareLog } from './shared-log.ts';
import { createUnknownRouteCheck } from './unknown-route.ts';
import { createReaders } from './validation.ts';

const DASHBOARD_API = '/dashboard/api/';
const IMPORT_TIMEOUT_MS = 6 * 3_600_000;
const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_MAX = 10_000;

export interface AppParts {
  keys: ApiKeys;
  records: Records;
  verifications: Verifications;
  commands: Commands;
  ledger: Ledger;
  guildLedger: GuildLedger;
  guildRecords: GuildRecords;
  guildPeople: GuildPeople;
  auditLog: AuditLog;
  limiter: RateLimiter;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  checkReady: () => Promise<void>;
  /** Whether connections should end with their next answer, because the service is about to stop. */
  isStopping: () => boolean;
  commandsRequireKey: boolean;
  /** The token of the operator's bot; without it the bot's paths do not exist. */
  botToken: string | undefined;
  signIn: SignInDoor;
  /** The origin under which browsers reach us, when it is not the one we listen on. */
  publicOrigin: string | undefined;
  host: string;
  port: number;
  keyLifetimeDaysMax: number;
  guilds: Guilds;
  store: Store;
  clock: Clock;
  /** Addresses of proxies whose forwarding headers are believed. */
  trustedProxies: readonly string[];
  /** How long the event loop may be held up before requests are refused, when not the usual time; 0 for ever. */
  eventLoopDelayMaxMs: number | undefined;
  /** The folder of the built web pages. */
  pagesRoot: string;
}

/** The dashboard's ways in. Without a chat platform nobody can begin a sign-in, and no session is found. */
export interface SignInDoor {
  signIns: SignIns | undefined;
  sessions: Sessions;
  dashboard: Dashboard;
}

/** Builds the whole application without listening. Tests use this very function. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  // Addresses that do not decode still reach their route, so that it answers in its own shape and order.
  const malformedUrls = new WeakSet<IncomingMessage>();
  const nextRequestId = createRequestIds();
  const createReader = createReaders();
  let isOverloaded = () => false;
  const app = fastify({
    loggerInstance: shareLog(parts.logger),
    // One line a request is enough, and ours is written in the response hook.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    // Requests that are already here when the service stops are answered as always.
    return503OnClosing: false,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    routerOptions: { maxParamLength: 16_384, querystringParser: parseQueryString },
    serverFactory(theLongWay) {
      const lane = { ...parts, nextRequestId, createReader, isOverloaded: () => isOverloaded() };
      return createHttpServer(parts, createDirectLane(lane, theLongWay));
    },
    clientErrorHandler: answerClientError,
    rewriteUrl(request) {
      const url = request.url ?? '/';
      if (isProperlyEncoded(url)) {
        return url;
      }
      malformedUrls.add(request);
      return url.replaceAll('%', '%25');
    },
  });
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => createReader(schema, httpPart));
  app.setNotFoundHandler((request, reply) => sendError(new DomainError('path_not_found'), request, reply));
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.decorateRequest('principal', undefined);
  app.decorateRequest('errorShape', undefined);
  app.decorateRequest('signedIn', undefined);

  addBodyParser(app);
  addRequestHooks(app, parts, malformedUrls);
  await addPageRoutes(app, { root: parts.pagesRoot, isSecure: isSecure(parts) });
  await app.register(async (api) => {
    isOverloaded = await addOverloadGuard(api, parts.eventLoopDelayMaxMs ?? EVENT_LOOP_DELAY_MAX_MS);
    await addApiRoutes(api, parts);
  });
  const checkReady = createReadyCheck(parts.checkReady, () => isOverloaded());
  addOperationRoutes(app, { ...parts, checkReady, openapi: buildOpenApi(ENDPOINTS) });
  return app;
}

async function addApiRoutes(api: FastifyInstance, parts: AppParts): Promise<void> {
  const guarded = { ...parts, onRateLimited: parts.metrics.recordRateLimited };
  addRecordRoutes(api, guarded);
  addUserRoutes(api, guarded);
  addCommandRoutes(api, guarded);
  addLedgerRoutes(api, guarded);
  await api.register((scope) => addSignInDoor(scope, parts));
  const { botToken } = parts;
  if (botToken !== undefined) {
    addBotRoutes(api, { ...guarded, botToken });
    await api.register(async (scope) => addBotImportRoute(scope, { ...guarded, botToken }));
  }
}

async function addSignInDoor(scope: FastifyInstance, parts: AppParts): Promise<void> {
  await scope.register(cookie);
  const door = {
    ...parts.signIn,
    limiter: parts.limiter,
    onRateLimited: parts.metrics.recordRateLimited,
    keyLifetimeDaysMax: parts.keyLifetimeDaysMax,
    guildLedger: parts.guildLedger,
    guildRecords: parts.guildRecords,
    guildPeople: parts.guildPeople,
    auditLog: parts.auditLog,
    sendCsv: createCsvDownloads(),
    clock: parts.clock,
    cookies: createSessionCookies(isSecure(parts)),
    origin: () => parts.publicOrigin ?? originOf(scope.server.address(), parts),
  };
  await scope.register(async (way) => addSignInRoutes(way, door));
  addDashboardRoutes(scope, door);
  addDashboardLedgerRoutes(scope, door);
  addDashboardRecordRoutes(scope, door);
  addDashboardPeopleRoutes(scope, door);
  addDashboardAuditRoutes(scope, door);
}

function isSecure({ publicOrigin }: AppParts): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}

function createHttpServer({ botToken }: AppParts, handler: RequestListener): Server {
  const server = createServer(
    {
      // A missing host is refused by us, in our words.
      requireHostHeader: false,
      // Time limits are looked at often enough to mean something.
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // An import may take its time; every other body has its own deadline, set when the request begins.
      requestTimeout: botToken === undefined ? BODY_TIMEOUT_MS : IMPORT_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    handler,
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('checkExpectation', answerExpectation);
  return server;
}

function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      // Fastify gives a buffer because the option beside asks for one.
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as DomainError);
    }
  });
}

function addRequestHooks(
  app: FastifyInstance,
  parts: AppParts,
  malformedUrls: WeakSet<IncomingMessage>,
): void {
  const checkUnknownRoute = createUnknownRouteCheck(app);
  const log = createRequestLog(parts.logger);

  app.addHook('onRequest', (request, reply, done) => {
    startBodyDeadline(request.raw, reply.raw);
    reply.header('x-request-id', request.id);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      done(new DomainError('invalid_input', { detail: 'the host header is missing' }));
      return;
    }
    if (request.url.startsWith(DASHBOARD_API)) {
      // What is answered there belongs to one person and one moment.
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    }
    // Decided here, before a body could be read or refused.
    done(isUnknown(request) ? checkUnknownRoute(request, reply) : undefined);
  });

  app.addHook('preValidation', (request, _reply, done) => {
    const isMalformed = malformedUrls.has(request.raw);
    const detail = 'the address is not properly percent-encoded';
    done(isMalformed ? new DomainError('invalid_input', { detail }) : undefined);
  });

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (parts.isStopping()) {
      reply.header('connection', 'close');
    }
    done(null, payload);
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { config, url } = request.routeOptions;
    const route = config.route ?? url ?? 'unknown';
    parts.metrics.recordRequest(route, request.method, reply.statusCode, reply.elapsedTime);
    log?.({
      reqId: request.id,
      route,
      method: request.method,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      key: request.principal?.keyId,
    });
    done();
  });
}

function isUnknown({ is404, url, routeOptions }: FastifyRequest): boolean {
  const { except } = routeOptions.config;
  return is404 || (except !== undefined && url.startsWith(except));
}
