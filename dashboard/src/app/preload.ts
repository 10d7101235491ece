import type { QueryClient } from '@tanstack/react-query';
import { guildsQuery } from '../api/guilds.ts';
import { sessionQuery } from '../api/session.ts';
import { guildPlaceOf } from './guild-place.ts';
import { loadPageData } from './page-data.ts';
import { guildRooms, guildsRoom, signInRoom } from './pages.ts';

/** What is there so soon is rendered at once; what takes longer gets its placeholder meanwhile. */
const patienceMs = 600;
/** The first page takes what was asked for before it was there as it is; later ones ask anew. */
const firstPageMs = 10_000;

/**
 * Asks for the session, the guilds, the page's code and its data at once, before anything is rendered: one after the other
 * each would cost a round trip. What does not arrive is asked for again by the page itself, which tells of it. Pages that need
 * no session do without. Resolves when all is there, or after a moment.
 */
export async function preload(queryClient: QueryClient, { pathname, search }: Location): Promise<void> {
  queryClient.setQueryDefaults(['guilds'], { staleTime: firstPageMs });
  const waiting = new Promise((resolve) => setTimeout(resolve, patienceMs));
  await Promise.race([Promise.allSettled(firstLoads(queryClient, pathname, search)), waiting]);
}

/** Ends the time of the first page. */
export function endPreload(queryClient: QueryClient): void {
  queryClient.setQueryDefaults(['guilds'], {});
}

function firstLoads(client: QueryClient, pathname: string, search: string): Promise<unknown>[] {
  if (pathname === '/dashboard/sign-in') return [signInRoom.load()];
  const place = guildPlaceOf(pathname);
  if (!place && pathname !== '/dashboard/') return [];
  const asked = [client.prefetchQuery(sessionQuery), client.prefetchQuery(guildsQuery)];
  if (!place) return [...asked, guildsRoom.load()];
  const data = loadPageData(client, place, new URLSearchParams(search)) ?? Promise.resolve();
  return [...asked, data, guildRooms[place.page].load()];
}
