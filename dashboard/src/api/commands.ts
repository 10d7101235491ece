import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { loadReader, type Reply } from './replies.ts';
import { ApiError, failIncomplete, failUnanswered } from './request.ts';

export type Command = Reply<'CommandsReply'>['data'][number];

/** The catalogue, or the information that the operator serves it only to callers with a key. */
export type Catalogue = { isLocked: true } | { isLocked: false; commands: Command[] };

const answerWaitMs = 10_000;
const staleAfterMs = 5 * 60_000;

export const catalogueQuery = queryOptions({
  queryKey: ['commands'],
  queryFn: fetchCatalogue,
  staleTime: staleAfterMs,
});

async function fetchCatalogue(): Promise<Catalogue> {
  const signal = AbortSignal.timeout(answerWaitMs);
  const response = await fetch('/commands', { signal }).catch(failUnanswered);
  if (response.status === 401) return { isLocked: true };
  if (!response.ok) {
    throw new ApiError(response.status, t`The service answered with status ${response.status}.`);
  }
  const body: unknown = await response.json().catch(() => undefined);
  const read = await loadReader('CommandsReply').catch(failIncomplete);
  return { isLocked: false, commands: read(body, 'GET /commands').data };
}
