import { queryOptions } from '@tanstack/react-query';
import { isRecord, readRecords, readText, readTexts } from './read.ts';
import { ApiError } from './request.ts';

export interface Command {
  category: string;
  name: string;
  description: string;
  extendedHelp: string;
  preconditions: string[];
}

/** The catalogue, or the fact that the operator serves it only to callers with a key. */
export type Catalogue = { isLocked: true } | { isLocked: false; commands: Command[] };

const answerWaitMs = 10_000;
const staleAfterMs = 5 * 60_000;

export const catalogueQuery = queryOptions({
  queryKey: ['commands'],
  queryFn: fetchCatalogue,
  staleTime: staleAfterMs,
});

async function fetchCatalogue(): Promise<Catalogue> {
  const response = await fetch('/commands', { signal: AbortSignal.timeout(answerWaitMs) }).catch((error) => {
    throw new ApiError(0, 'The service does not answer. Check your connection and try again.', {
      cause: error,
    });
  });
  if (response.status === 401) return { isLocked: true };
  if (!response.ok) {
    throw new ApiError(response.status, `The service answered with status ${response.status}.`);
  }
  const body: unknown = await response.json();
  if (!isRecord(body) || !Array.isArray(body.data)) throw new Error('The answer is not a list of commands.');
  return { isLocked: false, commands: readRecords(body.data).map(readCommand) };
}

function readCommand(record: Record<string, unknown>): Command {
  return {
    category: readText(record.category) || 'Other',
    name: readText(record.name),
    description: readText(record.description),
    extendedHelp: readText(record.extendedHelp),
    preconditions: readTexts(record.preconditions),
  };
}
