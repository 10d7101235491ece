import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingState } from '../components/LoadingState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { ReferenceView } from './ReferenceView.tsx';
import { referenceQuery } from './reference-query.ts';

const title = 'API reference';

export function DocsPage() {
  const query = useQuery(referenceQuery);
  if (query.isSuccess) return <ReferenceView reference={query.data} title={title} />;
  return (
    <>
      <PageHeader title={title} />
      <main id="content">
        <VisuallyHidden component="h1">{title}</VisuallyHidden>
        {query.isPending ? (
          <LoadingState label="Loading the reference" />
        ) : (
          <ErrorState
            title="The reference could not be loaded"
            detail={query.error.message}
            onRetry={() => query.refetch()}
            isRetrying={query.isFetching}
          />
        )}
      </main>
    </>
  );
}
