import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { SessionContext } from '../access/session-context.ts';
import { sessionQuery } from '../api/session.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageSkeleton } from '../components/PageSkeleton.tsx';
import { choosePageTimeZone } from '../components/time-zone.ts';
import { signInAddress } from '../sign-in/return-path.ts';

/** Lets nobody in who is not signed in: they go to the sign-in page, and come back here afterwards. */
export function RequireSession() {
  const query = useQuery(sessionQuery);
  const location = useLocation();
  const hasEnded = useHasEnded(query.data?.user.chatId);
  if (query.isPending) return <PageSkeleton label="Loading" />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title="The dashboard could not be opened"
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  if (query.data === null) {
    return <Navigate to={signInAddress(location)} replace state={{ hasEnded: hasEnded() }} />;
  }
  const { timeZone } = query.data.preferences;
  // Before the pages are rendered; another zone renders them anew, so that all times on them agree.
  choosePageTimeZone(timeZone);
  return (
    <SessionContext value={query.data} key={timeZone}>
      <Outlet />
    </SessionContext>
  );
}

/** Tells whether somebody was signed in before; and drops what was loaded for them when that changes. */
function useHasEnded(chatId: string | undefined): () => boolean {
  const queryClient = useQueryClient();
  const lastSeen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (chatId === undefined) return;
    if (lastSeen.current !== undefined && lastSeen.current !== chatId) {
      queryClient.resetQueries({ queryKey: ['guilds'] });
    }
    lastSeen.current = chatId;
  }, [chatId, queryClient]);
  return () => lastSeen.current !== undefined;
}
