import { once } from 'node:events';
import type { Server } from 'node:http';
import type { BaseLogger } from 'pino';
import type { ApiKeys } from '../domain/access/api-keys.ts';
import type { GuildRoles } from '../domain/access/guild-roles.ts';
import type { Guilds } from '../domain/access/guilds.ts';
import type { PersonPreferences } from '../domain/access/preferences.ts';
import type { Sessions } from '../domain/access/sessions.ts';
import type { SignIns } from '../domain/access/sign-ins.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { Dashboard } from '../domain/dashboard.ts';
import type { PostBatch } from '../domain/ledger/batches.ts';
import type { GuildLedger } from '../domain/ledger/guild-ledger.ts';
import type { LedgerHistory } from '../domain/ledger/history.ts';
import type { Ledger } from '../domain/ledger/ledger.ts';
import type { Pay } from '../domain/ledger/payments.ts';
import type { Reverse } from '../domain/ledger/reversals.ts';
import type { GuildMembers } from '../domain/people/guild-members.ts';
import type { GuildPeople } from '../domain/people/guild-people.ts';
import type { GuildSearch } from '../domain/people/guild-search.ts';
import type { Verifications } from '../domain/people/verifications.ts';
import type { Clock, RateLimiter, Store } from '../domain/ports.ts';
import type { Commands } from '../domain/records/commands.ts';
import type { Records } from '../domain/records/records.ts';
import type { Webhooks } from '../domain/webhooks/webhooks.ts';
import { type BotTokens, createBotAccess } from './access/bot.ts';
import { createFailedAuthentications } from './access/failed-authentications.ts';
import { createLookUp, createUnfinishedBodies } from './access/key.ts';
import { createSessionCookies } from './access/session-cookies.ts';
import { addGetAccount } from './api/get-account.ts';
import { addGetDischarge } from './api/get-discharge.ts';
import { addGetTransaction } from './api/get-transaction.ts';
import { addGetTransfer } from './api/get-transfer.ts';
import { addGetVerification } from './api/get-verification.ts';
import { addGuildRecords } from './api/guild-records.ts';
import { addListAccounts } from './api/list-accounts.ts';
import { addListCommands } from './api/list-commands.ts';
import { addListHistory } from './api/list-history.ts';
import { addListTransactions } from './api/list-transactions.ts';
import { addManageWebhooks } from './api/manage-webhooks.ts';
import { addOwnKey } from './api/own-key.ts';
import { addPostBatch } from './api/post-batch.ts';
import { addPostPayment } from './api/post-payment.ts';
import { addReversals } from './api/post-reversal.ts';
import { addPostTransaction } from './api/post-transaction.ts';
import { addReadFeed } from './api/read-feed.ts';
import { addRunWebhooks } from './api/run-webhooks.ts';
import type { ApiParts } from './api/scope.ts';
import { addBotCommands } from './bot/commands.ts';
import { addBotDischarges } from './bot/discharges.ts';
import { addBotGuilds } from './bot/guilds.ts';
import { addBotImport } from './bot/import.ts';
import { addBotTransfers } from './bot/transfers.ts';
import { addBotUsers } from './bot/users.ts';
import { type ClientAddresses, createClientAddresses } from './client-address.ts';
import { answerClientError } from './client-error.ts';
import { addAbout } from './dashboard/about.ts';
import { addAudit } from './dashboard/audit.ts';
import { createCsvDownloads } from './dashboard/csv-download.ts';
import { addDischarges } from './dashboard/discharges.ts';
import { addEvents } from './dashboard/events.ts';
import { addKeys } from './dashboard/keys.ts';
import { addMembers } from './dashboard/members.ts';
import { addPeople } from './dashboard/people.ts';
import { addPlayers } from './dashboard/players.ts';
import { addPreferences } from './dashboard/preferences.ts';
import { addRoles } from './dashboard/roles.ts';
import { addSession } from './dashboard/session.ts';
import { addSettings } from './dashboard/settings.ts';
import { addSignIn } from './dashboard/sign-in.ts';
import { addTransactions } from './dashboard/transactions.ts';
import { addTransfers } from './dashboard/transfers.ts';
import { addWebhooks } from './dashboard/webhooks.ts';
import { ENDPOINTS } from './endpoints.ts';
import { createHttpServer } from './http-server.ts';
import { createLifetimes, type Lifetimes } from './lifetimes.ts';
import type { Metrics } from './metrics.ts';
import { buildOpenApi } from './openapi/document.ts';
import { originOf } from './origin.ts';
import { createReadyCheck, EVENT_LOOP_DELAY_MAX_MS, watchOverload } from './overload.ts';
import { addOperations } from './pages/operations.ts';
import { addPages } from './pages/pages.ts';
import { type AddEndpoint, createPipeline } from './pipeline.ts';
import { type StepHook, withStepHook } from './step-hook.ts';

export interface AppParts {
  keys: ApiKeys;
  records: Records;
  verifications: Verifications;
  commands: Commands;
  ledger: Ledger;
  ledgerHistory: LedgerHistory;
  postBatch: PostBatch;
  reverse: Reverse;
  pay: Pay;
  guildLedger: GuildLedger;
  guildPeople: GuildPeople;
  guildMembers: GuildMembers;
  guildSearch: GuildSearch;
  editsVerifications: boolean;
  auditLog: AuditLog;
  webhooks: Webhooks;
  guildRoles: GuildRoles;
  preferences: PersonPreferences;
  limiter: RateLimiter;
  metrics: Metrics;
  logger: BaseLogger;
  checkReady: () => Promise<void>;
  /** Whether connections should end with their next answer, because the service is about to stop. */
  isStopping: () => boolean;
  commandsRequireKey: boolean;
  /** The tokens of the operator's bot; without them the bot's paths do not exist. */
  botTokens: BotTokens | undefined;
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
  /** Called between the steps of every request; given by tests alone. */
  stepHook: StepHook | undefined;
  /** The page of the try-out's chat channel. */
  channelUrl: string | undefined;
  /** The folder of the built web pages. */
  pagesRoot: string;
}

/** What signing in is made of. Without a chat platform nobody can begin a sign-in, and no session is found. */
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

/** Builds the whole application without listening. Tests use this very function. */
export function buildApp(parts: AppParts): App {
  const overload = watchOverload(parts.eventLoopDelayMaxMs ?? EVENT_LOOP_DELAY_MAX_MS);
  const { isOverloaded } = overload;
  const hasLongRequests = hasImports(parts);
  const lifetimes = createLifetimes();
  const pipeline = createPipeline({ ...parts, lifetimes, isOverloaded, hasLongRequests });
  const add = withStepHook(pipeline.add, parts.stepHook);
  const server = createHttpServer(pipeline.handle, { ...parts, hasLongRequests });
  server.on('clientError', answerClientError);
  parts.metrics.watchRequests(lifetimes);
  parts.metrics.watchConnections(() => countConnections(server));
  const origin = () => originOf(server.address(), parts);
  addPages(add, { ...parts, root: parts.pagesRoot, isSecure: isSecure(parts) });
  addEndpoints(add, { ...parts, lifetimes, clients: createClientAddresses(parts.trustedProxies), origin });
  const checkReady = createReadyCheck(parts.checkReady, isOverloaded);
  addOperations(add, { ...parts, checkReady, openapi: buildOpenApi(ENDPOINTS) });
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

interface EndpointParts extends AppParts {
  lifetimes: Lifetimes;
  clients: ClientAddresses;
  /** The origin that we listen on. */
  origin: () => string;
}

function addEndpoints(add: AddEndpoint, parts: EndpointParts): void {
  const onRateLimited = parts.metrics.recordRateLimited;
  const failures = createFailedAuthentications({ ...parts, onRateLimited });
  const bodies = createUnfinishedBodies({ ...parts, onRateLimited });
  addApi(add, { ...parts, onRateLimited, bodies, lookUp: createLookUp(parts.keys, failures, parts.clients) });
  addDashboard(add, parts);
  const { botTokens, logger } = parts;
  if (botTokens !== undefined) {
    const scope = { add, parts, access: createBotAccess(botTokens, { failures, logger }) };
    addBotGuilds(scope);
    addBotDischarges(scope);
    addBotTransfers(scope);
    addBotUsers(scope);
    addBotCommands(scope);
    addBotImport(scope);
  }
}

function addApi(add: AddEndpoint, parts: ApiParts): void {
  const scope = { add, parts };
  addGetDischarge(scope);
  addGetTransfer(scope);
  addGetVerification(scope);
  addListCommands(scope);
  addPostTransaction(scope);
  addListTransactions(scope);
  addGetAccount(scope);
  addListAccounts(scope);
  addListHistory(scope);
  addGetTransaction(scope);
  addReadFeed(scope);
  addPostBatch(scope);
  addReversals(scope);
  addPostPayment(scope);
  addGuildRecords(scope);
  addOwnKey(scope);
  addManageWebhooks(scope);
  addRunWebhooks(scope);
}

function addDashboard(add: AddEndpoint, parts: EndpointParts): void {
  const scope = {
    add,
    parts: {
      ...parts,
      ...parts.signIn,
      onRateLimited: parts.metrics.recordRateLimited,
      downloads: createCsvDownloads(parts.lifetimes),
      cookies: createSessionCookies(isSecure(parts)),
      origin: () => parts.publicOrigin ?? parts.origin(),
    },
  };
  addAbout(scope);
  addSignIn(scope);
  addSession(scope);
  addKeys(scope);
  addRoles(scope);
  addPreferences(scope);
  addPlayers(scope);
  addTransactions(scope);
  addDischarges(scope);
  addTransfers(scope);
  addPeople(scope);
  addMembers(scope);
  addSettings(scope);
  addAudit(scope);
  addWebhooks(scope);
  addEvents(scope);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

function isSecure({ publicOrigin }: AppParts): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}

/** Imports are the only requests that may take longer than seconds. */
function hasImports({ botTokens }: AppParts): boolean {
  return botTokens !== undefined;
}
