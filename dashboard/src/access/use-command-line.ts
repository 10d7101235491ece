import { useQuery } from '@tanstack/react-query';
import { commandQuery, usualCommand } from '../api/about.ts';

/** Returns a function that builds a command line which the operator can paste. */
export function useCommandLine(): (args: string) => string {
  const { data: command = usualCommand } = useQuery(commandQuery);
  return (args) => `${command} ${args}`;
}
