import type { QueryClient } from '@tanstack/react-query';
import { guildsQuery } from '../api/guilds.ts';
import { sessionQuery } from '../api/session.ts';
import { guildPlaceOf } from './guild-place.ts';
import { loadPageData } from './page-data.ts';
import { guildPages, guildsPage, signInPage } from './pages.ts';

/** Data that arrives within this time is rendered without a placeholder. */
const patienceMs = 600;
/** Data requested before the first page is rendered counts as fresh for this long. Later pages request it again. */
const firstPageMs = 10_000;
let isFirstPage = true;

/**
 * Reads the session, the guilds, the page's code and its data before anything is rendered. first-load.ts has requested
 * them. A page repeats failed requests itself and shows the error. Public pages
 * request nothing here. Resolves when everything has arrived, or after `patienceMs`.
 */
export async function preload(queryClient: QueryClient, { pathname, search }: Location): Promise<void> {
  // A function, because a component keeps the options of its last rendering: with a number, a page that is hidden within these
  // seconds and shown again would keep its data without asking.
  document.addEventListener('visibilitychange', endPreload, { once: true });
  queryClient.setQueryDefaults(['guilds'], { staleTime: () => (isFirstPage ? firstPageMs : 0) });
  const waiting = new Promise((resolve) => setTimeout(resolve, patienceMs));
  await Promise.race([Promise.allSettled(firstLoads(queryClient, pathname, search)), waiting]);
}

/** Ends the special freshness of the first page's data: the page has been rendered, or was hidden, when it may miss changes. */
export function endPreload(): void {
  isFirstPage = false;
}

function firstLoads(client: QueryClient, pathname: string, search: string): Promise<unknown>[] {
  if (pathname === '/dashboard/sign-in') return [signInPage.load()];
  const place = guildPlaceOf(pathname);
  if (!place && pathname !== '/dashboard/') return [];
  const asked = [client.prefetchQuery(sessionQuery), client.prefetchQuery(guildsQuery)];
  if (!place) return [...asked, guildsPage.load()];
  const data = loadPageData(client, place, new URLSearchParams(search)) ?? Promise.resolve();
  return [...asked, data, guildPages[place.page].load()];
}
