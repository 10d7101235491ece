import type { EnvironmentVariables } from './setting.ts';

/** The errors of settings that depend on each other. An empty variable counts as absent. */
export function combinationFaults(environment: EnvironmentVariables): string[] {
  const has = (name: string) => (environment[name] ?? '') !== '';
  const faults: string[] = [];
  if (has('CHAT_CLIENT_ID') && !has('CHAT_CLIENT_SECRET')) {
    faults.push('CHAT_CLIENT_SECRET: is needed together with CHAT_CLIENT_ID');
  }
  if (has('BOT_TOKEN_PREVIOUS') && !has('BOT_TOKEN')) {
    faults.push('BOT_TOKEN_PREVIOUS: needs BOT_TOKEN beside it, the token that replaces it');
  }
  if (has('READ_DATABASE_URL') && !/^postgres(?:ql)?:/.test(environment.DATABASE_URL ?? '')) {
    faults.push('READ_DATABASE_URL: needs a PostgreSQL database in DATABASE_URL');
  }
  for (const name of ['BOT_TOKEN', 'SECRET_KEY']) {
    if (has(name) && environment[`${name}_PREVIOUS`] === environment[name]) {
      faults.push(`${name}_PREVIOUS: must differ from ${name}`);
    }
  }
  return faults;
}
