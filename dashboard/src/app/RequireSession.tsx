import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { SessionContext } from '../access/session-context.ts';
import { sessionQuery } from '../api/session.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageSkeleton } from '../components/PageSkeleton.tsx';
import { choosePageTimeZone } from '../components/time-zone.ts';
import { signInAddress } from '../sign-in/return-path.ts';

/** Sends people who are not signed in to the sign-in page, which leads back here. */
export function RequireSession() {
  const query = useQuery(sessionQuery);
  const location = useLocation();
  const hasEnded = useHasEnded(query.data?.user.chatId);
  if (query.isPending) return <PageSkeleton label={t`Loading`} />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title={t`The dashboard could not be opened`}
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
  // Set before the pages are rendered. When it changes, they are rendered again, so that all times agree.
  choosePageTimeZone(timeZone);
  return (
    <SessionContext value={query.data} key={timeZone}>
      <Outlet />
    </SessionContext>
  );
}

/** Returns a function that is true when somebody was signed in before. Drops the loaded data when the person changes. */
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
