import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingState } from '../components/LoadingState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { ReferenceView } from './ReferenceView.tsx';
import type { Reference } from './reference/model.ts';
import { readDocument } from './reference/read-document.ts';

const title = 'API reference';
const answerWaitMs = 15_000;

export function DocsPage() {
  const query = useQuery({
    queryKey: ['openapi'],
    queryFn: fetchReference,
    staleTime: Number.POSITIVE_INFINITY,
  });
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

async function fetchReference(): Promise<Reference> {
  const response = await fetch('/openapi.json', { signal: AbortSignal.timeout(answerWaitMs) }).catch(
    (error) => {
      throw new Error('The service does not answer.', { cause: error });
    },
  );
  if (!response.ok) throw new Error(`The service answered /openapi.json with status ${response.status}.`);
  const document: unknown = await response.json().catch((error) => {
    throw new Error('The document is not valid JSON.', { cause: error });
  });
  return readDocument(document);
}
