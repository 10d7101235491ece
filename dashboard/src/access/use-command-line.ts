import { useQuery } from '@tanstack/react-query';
import { commandQuery, usualCommand } from '../api/about.ts';

/** Makes command lines that the operator of this service can paste. */
export function useCommandLine(): (args: string) => string {
  const { data: command = usualCommand } = useQuery(commandQuery);
  return (args) => `${command} ${args}`;
}
