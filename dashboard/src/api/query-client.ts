import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { avatarsKey } from './avatars.ts';
import { ApiError } from './request.ts';
import { isRateLimited, retryDelayMs, shouldRetry } from './retries.ts';
import { sessionQuery } from './session.ts';

const channelName = 'guildbook-session';
/** The pause after a request that nobody answered. */
const againMs = 10_000;

export interface QueryClientEvents {
  /** Called when the session has ended, in this tab or another one. */
  onSignOut: () => void;
  /** Called when the service refused a request because there were too many. The request is repeated after this time. */
  onRateLimited: (waitMs: number) => void;
}

/**
 * The cache of the service's answers. A 401 of any request ends the session in this tab, a sign-out ends it in all
 * tabs.
 */
export function createDashboardQueryClient({ onSignOut, onRateLimited }: QueryClientEvents): QueryClient {
  const endOnUnauthorized = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) endSession(client);
  };
  const refreshOnForbidden = (error: unknown) => {
    // After a new sign-in in another tab, the CSRF token of this one is outdated.
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
        retry: shouldRetry,
        retryDelay: retryDelayMs,
        refetchOnWindowFocus: false,
        refetchInterval: ({ state }) => (hasNoAnswer(state.error) ? againMs : false),
      },
      // A change is repeated only when it was refused before it had any effect.
      mutations: {
        retry: (failureCount, error) => isRateLimited(error) && shouldRetry(failureCount, error),
        retryDelay: retryDelayMs,
      },
    },
  });
  const noticeLimit = (event: { type: string; action?: unknown }) => {
    const error = failureOf(event);
    if (isRateLimited(error)) onRateLimited(error.retryAfterMs);
  };
  client.getQueryCache().subscribe(noticeLimit);
  client.getMutationCache().subscribe(noticeLimit);
  listenForSignOut(client, onSignOut);
  return client;
}

/** True when nobody answered. The page repeats such requests when the service is back. */
function hasNoAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** The error of an attempt that will be repeated. */
function failureOf({ type, action }: { type: string; action?: unknown }): unknown {
  const isFailure =
    type === 'updated' &&
    typeof action === 'object' &&
    action !== null &&
    'type' in action &&
    action.type === 'failed';
  return isFailure && 'error' in action ? action.error : undefined;
}

/** Removes the session and all data of its person from the cache. */
export function endSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
  client.removeQueries({ queryKey: ['guilds'] });
  client.removeQueries({ queryKey: [avatarsKey] });
}

/** Notifies the other tabs of this browser that their common session has ended. */
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
