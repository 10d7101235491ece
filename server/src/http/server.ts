import type { Server } from 'node:http';
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import type { ApiKeys } from '../domain/access/api-keys.ts';
import type { Guilds } from '../domain/access/guilds.ts';
import type { Sessions } from '../domain/access/sessions.ts';
import type { SignIns } from '../domain/access/sign-ins.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { Dashboard } from '../domain/dashboard.ts';
import type { GuildLedger } from '../domain/ledger/guild-ledger.ts';
import type { Ledger } from '../domain/ledger/ledger.ts';
import type { GuildPeople } from '../domain/people/guild-people.ts';
import type { Verifications } from '../domain/people/verifications.ts';
import type { Clock, RateLimiter, Store } from '../domain/ports.ts';
import type { Commands } from '../domain/records/commands.ts';
import type { Records } from '../domain/records/records.ts';
import './augment.ts';
import { createBotAccess } from './access/bot.ts';
import { createFailedAuthentications } from './access/failed-authentications.ts';
import { createLookUp, createUnfinishedBodies } from './access/key.ts';
import { createSessionCookies } from './access/session-cookies.ts';
import { addGetDischarge } from './api/get-discharge.ts';
import { addGetTransfer } from './api/get-transfer.ts';
import { addGetVerification } from './api/get-verification.ts';
import { addListCommands } from './api/list-commands.ts';
import { addListTransactions } from './api/list-transactions.ts';
import { addPostTransaction } from './api/post-transaction.ts';
import type { ApiParts } from './api/scope.ts';
import { BODY_BYTES_MAX } from './body-deadline.ts';
import { addBotCommands } from './bot/commands.ts';
import { addBotDischarges } from './bot/discharges.ts';
import { addBotGuilds } from './bot/guilds.ts';
import { addBotImport } from './bot/import.ts';
import { addBotTransfers } from './bot/transfers.ts';
import { addBotUsers } from './bot/users.ts';
import { answerClientError } from './client-error.ts';
import { addAudit } from './dashboard/audit.ts';
import { createCsvDownloads } from './dashboard/csv-download.ts';
import { addDischarges } from './dashboard/discharges.ts';
import { addKeys } from './dashboard/keys.ts';
import { addPeople } from './dashboard/people.ts';
import { addPlayers } from './dashboard/players.ts';
import { addSession } from './dashboard/session.ts';
import { addSignIn } from './dashboard/sign-in.ts';
import { addTransactions } from './dashboard/transactions.ts';
import { addTransfers } from './dashboard/transfers.ts';
import { ENDPOINTS } from './endpoints.ts';
import { createHttpServer } from './http-server.ts';
import type { Metrics } from './metrics.ts';
import { buildOpenApi } from './openapi/document.ts';
import { originOf } from './origin.ts';
import { createReadyCheck, EVENT_LOOP_DELAY_MAX_MS, watchOverload } from './overload.ts';
import { addOperations } from './pages/operations.ts';
import { addPages } from './pages/pages.ts';
import { type AddEndpoint, createPipeline } from './pipeline.ts';
import { isProperlyEncoded } from './query-string.ts';
import { createRequestIds } from './request-id.ts';
import { addUnknownRoutes } from './unknown-route.ts';

export interface AppParts {
  keys: ApiKeys;
  records: Records;
  verifications: Verifications;
  commands: Commands;
  ledger: Ledger;
  guildLedger: GuildLedger;
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
  signIn: SignInParts;
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
  /** How long a client may take nothing of its answer, when not the usual time. */
  stalledMs: number | undefined;
  /** The folder of the built web pages. */
  pagesRoot: string;
}

/** What signing in is made of. Without a chat platform nobody can begin a sign-in, and no session is found. */
export interface SignInParts {
  signIns: SignIns | undefined;
  sessions: Sessions;
  dashboard: Dashboard;
}

/** Builds the whole application without listening. Tests use this very function. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    // The pipeline logs, counts and answers requests itself; Fastify finds the route and reads the body.
    logger: false,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    // Requests that are already here when the service stops are answered as always.
    return503OnClosing: false,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    // A query string is read by the route's own schema, see input.ts; Fastify's types expect an object here.
    routerOptions: {
      maxParamLength: 16_384,
      querystringParser: (text) => text as unknown as Record<string, unknown>,
    },
    serverFactory: (handler): Server =>
      createHttpServer(handler, { ...parts, hasLongRequests: hasImports(parts) }),
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
  });
  app.decorateRequest('state');
  app.setErrorHandler((error, request, reply) => request.state.refuseBody(request, reply, error));
  readBodies(app);
  app.addHook('onListen', async () => {
    parts.logger.info(`Server listening at ${originOf(app.server.address(), parts)}`);
  });
  const overload = await watchOverload(app, parts.eventLoopDelayMaxMs ?? EVENT_LOOP_DELAY_MAX_MS);
  const pipelineParts = { ...parts, isOverloaded: overload, hasLongRequests: hasImports(parts) };
  const add = createPipeline(pipelineParts);
  addUnknownRoutes(app, pipelineParts);
  await app.register((scope) =>
    addPages(scope, { ...parts, root: parts.pagesRoot, isSecure: isSecure(parts) }),
  );
  await addEndpoints(app, add, parts);
  const checkReady = createReadyCheck(parts.checkReady, overload);
  addOperations(app, add, { ...parts, checkReady, openapi: buildOpenApi(ENDPOINTS) });
  return app;
}

async function addEndpoints(app: FastifyInstance, add: AddEndpoint, parts: AppParts): Promise<void> {
  const onRateLimited = parts.metrics.recordRateLimited;
  const failures = createFailedAuthentications({ ...parts, onRateLimited });
  const bodies = createUnfinishedBodies({ onRateLimited });
  addApi(app, add, { ...parts, onRateLimited, bodies, lookUp: createLookUp(parts.keys, failures) });
  addDashboard(app, add, parts);
  const { botToken } = parts;
  if (botToken !== undefined) {
    const scope = { app, add, parts, access: createBotAccess(botToken, failures) };
    addBotGuilds(scope);
    addBotDischarges(scope);
    addBotTransfers(scope);
    addBotUsers(scope);
    addBotCommands(scope);
    await app.register(async (own) => addBotImport({ ...scope, app: own }));
  }
}

function addApi(app: FastifyInstance, add: AddEndpoint, parts: ApiParts): void {
  const scope = { app, add, parts };
  addGetDischarge(scope);
  addGetTransfer(scope);
  addGetVerification(scope);
  addListCommands(scope);
  addPostTransaction(scope);
  addListTransactions(scope);
}

function addDashboard(app: FastifyInstance, add: AddEndpoint, parts: AppParts): void {
  const scope = {
    app,
    add,
    parts: {
      ...parts,
      ...parts.signIn,
      onRateLimited: parts.metrics.recordRateLimited,
      downloads: createCsvDownloads(),
      cookies: createSessionCookies(isSecure(parts)),
      origin: () => parts.publicOrigin ?? originOf(app.server.address(), parts),
    },
  };
  addSignIn(scope);
  addSession(scope);
  addKeys(scope);
  addPlayers(scope);
  addTransactions(scope);
  addDischarges(scope);
  addTransfers(scope);
  addPeople(scope);
  addAudit(scope);
}

/** Bodies are collected as they are and read by the pipeline, after the access check. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/** Addresses that do not decode still reach their route, so that it answers in its own shape and order. */
function routableUrl(url: string): string {
  return isProperlyEncoded(url) ? url : url.replaceAll('%', '%25');
}

function isSecure({ publicOrigin }: AppParts): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}

/** Imports are the only requests that may take longer than seconds. */
function hasImports({ botToken }: AppParts): boolean {
  return botToken !== undefined;
}
