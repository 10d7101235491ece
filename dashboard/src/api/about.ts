import { queryOptions } from '@tanstack/react-query';

/** The command of an installation as the operator's guide describes it, until the service has answered, or when it cannot. */
export const usualCommand = 'guildbook';
const answerWaitMs = 10_000;

/**
 * The command with which the operator of this service calls Guildbook. The reference uses this too, and its page has no room for
 * the checks of all answers, so this one is checked here.
 */
export const commandQuery = queryOptions({
  queryKey: ['command'],
  queryFn: fetchCommand,
  staleTime: Number.POSITIVE_INFINITY,
});

async function fetchCommand(): Promise<string> {
  const response = await fetch('/dashboard/api/about', { signal: AbortSignal.timeout(answerWaitMs) });
  return readCommand(await response.json());
}

export function readCommand(answer: unknown): string {
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  return typeof data.command === 'string' ? data.command : usualCommand;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
