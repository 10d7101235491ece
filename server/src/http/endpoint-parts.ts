import { createBotAccess } from './access/bot.ts';
import { createFailedAuthentications } from './access/failed-authentications.ts';
import { createLookUp, createUnfinishedBodies } from './access/key.ts';
import { createPersonRequests, PICTURE_LIMITS } from './access/person-requests.ts';
import { createSessionCookies } from './access/session-cookies.ts';
import { createLedgerBodyCache } from './api/ledger-bodies.ts';
import { createBoards } from './board/boards.ts';
import { createClientAddresses } from './client-address.ts';
import { createCsvDownloads } from './dashboard/csv-download.ts';
import { createLiveLedger } from './dashboard/live-ledger.ts';
import { findPages } from './pages/built-pages.ts';
import type { RouteParts } from './server.ts';

/** The dependencies of access checks and handlers. */
export type EndpointParts = ReturnType<typeof createEndpointParts>;

export function createEndpointParts(parts: RouteParts) {
  const { botTokens, logger, metrics, publicOrigin, signIn, trustedProxies } = parts;
  // True when browsers reach the service by https.
  const isSecure = publicOrigin?.startsWith('https:') ?? false;
  /** Our own origin, as browsers name it. */
  const origin = () => publicOrigin ?? parts.origin();
  const clients = createClientAddresses(trustedProxies);
  const onRateLimited = metrics.recordRateLimited;
  const limits = { ...parts, clients, onRateLimited };
  const failures = createFailedAuthentications(limits);
  return {
    ...limits,
    ...signIn,
    failures,
    lookUp: createLookUp(parts.keys, failures, clients),
    bodies: createUnfinishedBodies(limits),
    /** Undefined when the operator's bot has no token. */
    botAccess: botTokens && createBotAccess(botTokens, { failures, logger }),
    ledgerBodies: createLedgerBodyCache(parts),
    personRequests: createPersonRequests(limits),
    pictureRequests: createPersonRequests(limits, PICTURE_LIMITS),
    downloads: createCsvDownloads(parts),
    boards: createBoards({ ...parts, isSecure, origin }),
    /** Files that members make of their own accounts. */
    ownDownloads: createCsvDownloads(parts),
    liveLedger: createLiveLedger({ ...parts, entries: parts.store.entries }),
    cookies: createSessionCookies(isSecure),
    pages: findPages({ ...parts, isSecure }),
    origin,
  };
}
