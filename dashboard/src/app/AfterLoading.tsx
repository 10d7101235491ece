import { useIsFetching } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadOtherPages } from './load-other-pages.ts';
import { endPreload } from './preload.ts';

const NotificationArea = lazy(async () => ({
  default: (await import('./NotificationArea.tsx')).NotificationArea,
}));

/** The page counts as loaded when no request was pending for this long: one answer often leads to the next request. */
const quietMs = 500;

/** Loads after the first page: the area for notifications, and the code of other pages. */
export function AfterLoading() {
  const isFetching = useIsFetching() > 0;
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isFetching || isLoaded) return;
    const timer = setTimeout(() => {
      setLoaded(true);
      endPreload();
      loadOtherPages();
    }, quietMs);
    return () => clearTimeout(timer);
  }, [isFetching, isLoaded]);
  if (!isLoaded) return null;
  return (
    <Suspense>
      <NotificationArea />
    </Suspense>
  );
}
