import { queryOptions } from '@tanstack/react-query';

/** The command in the operator's guide. Used until the service has answered, and when it cannot. */
export const usualCommand = 'guildbook';
const answerWaitMs = 10_000;

/**
 * The command with which the operator of this service calls Guildbook. The reference page uses this query too and
 * must stay small, so the answer is checked here and not with the compiled checks of all answers.
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
