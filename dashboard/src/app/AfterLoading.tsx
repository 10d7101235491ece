import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadOtherPages } from './load-other-pages.ts';
import { endPreload } from './preload.ts';

const NotificationArea = lazy(async () => ({
  default: (await import('./NotificationArea.tsx')).NotificationArea,
}));

/** So long nothing has to be asked for before the page counts as loaded: one answer leads to the next request. */
const quietMs = 500;

/** What can wait until the first page is there: the place of notifications, and the code of other pages. */
export function AfterLoading() {
  const queryClient = useQueryClient();
  const isFetching = useIsFetching() > 0;
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isFetching || isLoaded) return;
    const timer = setTimeout(() => {
      setLoaded(true);
      endPreload(queryClient);
      loadOtherPages();
    }, quietMs);
    return () => clearTimeout(timer);
  }, [isFetching, isLoaded, queryClient]);
  if (!isLoaded) return null;
  return (
    <Suspense>
      <NotificationArea />
    </Suspense>
  );
}
