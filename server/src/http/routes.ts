import { createBotAccess } from './access/bot.ts';
import { createFailedAuthentications } from './access/failed-authentications.ts';
import { createLookUp, createUnfinishedBodies } from './access/key.ts';
import { createPersonRequests } from './access/person-requests.ts';
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
import { buildOpenApi } from './openapi/document.ts';
import { addOperations } from './pages/operations.ts';
import { addPages } from './pages/pages.ts';
import type { AddEndpoint } from './pipeline.ts';
import type { RouteParts } from './server.ts';

interface EndpointParts extends RouteParts {
  clients: ClientAddresses;
}

/** Adds every route of the service: pages, endpoints, and what the operator's tools ask for. */
export function addRoutes(add: AddEndpoint, parts: RouteParts): void {
  addPages(add, { ...parts, root: parts.pagesRoot, isSecure: isSecure(parts) });
  addEndpoints(add, { ...parts, clients: createClientAddresses(parts.trustedProxies) });
  addOperations(add, { ...parts, openapi: buildOpenApi(ENDPOINTS) });
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
  const onRateLimited = parts.metrics.recordRateLimited;
  const scope = {
    add,
    parts: {
      ...parts,
      ...parts.signIn,
      onRateLimited,
      personRequests: createPersonRequests({ ...parts, onRateLimited }),
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

function isSecure({ publicOrigin }: RouteParts): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}
