import type { QueryClient } from '@tanstack/react-query';
import { guildsQuery } from '../api/guilds.ts';
import { sessionQuery } from '../api/session.ts';

/**
 * Asks for the session, the guilds and the page's own code at once, before anything is rendered: one after the other each
 * would cost a round trip. The ledger, where most go next, is loaded when there is nothing else to do. Pages that need no
 * session do without.
 */
export function preload(queryClient: QueryClient, path: string): void {
  if (!/^\/dashboard\/(?:guilds\/|$)/.test(path)) return;
  queryClient.prefetchQuery(sessionQuery);
  queryClient.prefetchQuery(guildsQuery);
  const [, page] = /^\/dashboard\/guilds\/[^/]+\/?([^/]*)/.exec(path) ?? [];
  // What does not arrive is asked for again by the page itself, which tells of it.
  if (page === '') import('../overview/OverviewPage.tsx').then(loadNext, () => undefined);
  if (page === 'ledger') import('../ledger/PlayerPage.tsx').catch(() => undefined);
}

function loadNext(): void {
  const load = () => import('../ledger/LedgerPage.tsx').catch(() => undefined);
  // Not every browser tells when it is idle.
  if ('requestIdleCallback' in window) window.requestIdleCallback(load, { timeout: 10_000 });
}
