import type { Guild } from '../api/guilds.ts';
import { shellQuote } from '../components/shell-quote.ts';

export const roleTexts: Record<Guild['role'], string> = {
  owner: 'Owner',
  admin: 'Administrator',
  manager: 'Manager',
};

export const stateTexts: Record<Exclude<Guild['state'], 'ready'>, { label: string; explanation: string }> = {
  unknown: {
    label: 'Not set up',
    explanation: 'Guildbook does not know this guild yet. Ask the operator of this service to set it up:',
  },
  'no-plan': {
    label: 'No active plan',
    explanation:
      'New keys need an active plan; existing keys work until they expire. Ask the operator of this service to activate a plan:',
  },
};

/** What the operator types to set the guild up with a plan. */
export function setupCommand({ guildId, name }: Pick<Guild, 'guildId' | 'name'>): string {
  return `npx guildbook guild set ${guildId} --name ${shellQuote(name)} --plan developer`;
}

export function planText({ plan }: Pick<Guild, 'plan'>): string {
  if (plan === null || plan === 'none') return 'No plan';
  return `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)} plan`;
}
