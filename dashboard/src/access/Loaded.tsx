import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/request.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { NoPermission } from './NoPermission.tsx';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** The outline of what is on its way. */
  skeleton: ReactNode;
  /** What is said when it does not come: "The ledger could not be loaded". */
  failure: string;
  children: (data: Data) => ReactNode;
}

/** What a query brings, or the state it is in. Data that was there before stays while a refresh fails. */
export function Loaded<Data>({ query, skeleton, failure, children }: LoadedProps<Data>) {
  if (query.isPending) return skeleton;
  if (query.data !== undefined) return children(query.data);
  // A guild that the person does not manage any more is answered as one that does not exist.
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
