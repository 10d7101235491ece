import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isWorthRetrying } from './request.ts';
import { sessionQuery } from './session.ts';

const channelName = 'guildbook-session';

/** The cache of the service's answers. A 401 on any of them ends the session in this tab, a sign-out in all of them. */
export function createDashboardQueryClient(onSignOut: () => void): QueryClient {
  const endOnUnauthorized = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) endSession(client);
  };
  const refreshOnForbidden = (error: unknown) => {
    // The session's token may be an old one, after a new sign-in in another tab.
    if (!(error instanceof ApiError && error.status === 403)) return;
    client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: endOnUnauthorized }),
    mutationCache: new MutationCache({
      onError: (error) => {
        endOnUnauthorized(error);
        refreshOnForbidden(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failureCount, error) => failureCount < 1 && isWorthRetrying(error),
        refetchOnWindowFocus: false,
      },
    },
  });
  listenForSignOut(client, onSignOut);
  return client;
}

/** Forgets who was signed in and what they could see. */
export function endSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
  client.removeQueries({ queryKey: ['guilds'] });
}

/** Tells the other tabs of this browser that the session they share has ended. */
export function announceSignOut(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('signed-out');
  channel.close();
}

function listenForSignOut(client: QueryClient, onSignOut: () => void): void {
  new BroadcastChannel(channelName).addEventListener('message', () => {
    onSignOut();
    endSession(client);
  });
}
