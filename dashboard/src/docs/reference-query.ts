import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import type { Reference } from './reference/model.ts';
import { readDocument } from './reference/read-document.ts';

const answerWaitMs = 15_000;

/** The service's own OpenAPI document. It does not change while the service runs. */
export const referenceQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: fetchReference,
  staleTime: Number.POSITIVE_INFINITY,
});

async function fetchReference(): Promise<Reference> {
  const response = await fetch('/openapi.json', { signal: AbortSignal.timeout(answerWaitMs) }).catch(
    (error) => {
      throw new Error(t`The service does not answer.`, { cause: error });
    },
  );
  if (!response.ok) throw new Error(t`The service answered /openapi.json with status ${response.status}.`);
  const document: unknown = await response.json().catch((error) => {
    throw new Error(t`The document is not valid JSON.`, { cause: error });
  });
  return readDocument(document);
}
