import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/request.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { OfflineState } from '../components/OfflineState.tsx';
import { useIsOffline } from '../components/use-is-offline.ts';
import { NoPermission } from './NoPermission.tsx';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** Shown while the data is loading. */
  skeleton: ReactNode;
  /** The title of the error, such as "The ledger could not be loaded". */
  failure: string;
  children: (data: Data) => ReactNode;
}

/** Renders the data of a query, its skeleton or its error. Older data stays visible when a refresh fails. */
export function Loaded<Data>({ query, skeleton, failure, children }: LoadedProps<Data>) {
  const isOffline = useIsOffline();
  if (query.isPending) return isOffline ? <OfflineState /> : skeleton;
  if (query.data !== undefined) return children(query.data);
  // The service answers 404 for a guild that the person no longer manages.
  if (query.error instanceof ApiError && query.error.status === 404) return <NoPermission />;
  return (
    <ErrorState
      title={failure}
      detail={query.error?.message ?? ''}
      onRetry={() => query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}
