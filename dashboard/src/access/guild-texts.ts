import { t } from '@lingui/core/macro';
import type { Guild } from '../api/guilds.ts';
import { lazily } from '../components/lazily.ts';
import { shellQuote } from '../components/shell-quote.ts';

export type Role = NonNullable<Guild['role']>;

/** Somebody who never signed in, is not verified, and whom the chat platform does not name. */
export const unknownMember = () => t`Unknown member`;

export const roleTexts = lazily(
  (): Record<Role, { label: string; explanation: string }> => ({
    viewer: { label: t`Viewer`, explanation: t`Sees the ledger, the records and the audit log.` },
    treasurer: {
      label: t`Treasurer`,
      explanation: t`Also posts, corrects and reverses transactions, changes records and downloads files.`,
    },
    manager: { label: t`Manager`, explanation: t`Also manages keys, webhooks, settings and roles.` },
  }),
);

/** The person's position in a guild: their standing on the chat platform, or their role here. */
export function positionText({ standing, role }: Pick<Guild, 'standing' | 'role'>): string {
  const standings = { owner: t`Owner`, admin: t`Administrator`, manager: t`Manager` };
  if (standing !== 'member') return standings[standing];
  return role === null ? t`Member` : roleTexts()[role].label;
}

/** Explains why an action is disabled for a manager whose role comes from the guild itself. */
export const needsPlatformText = () =>
  t`This needs the right to manage the guild on the chat platform: ask an owner or administrator.`;

/** True when the person may do this in the guild, by the service's table of roles. */
export function may({ may: actions }: Pick<Guild, 'may'>, action: Guild['may'][number]): boolean {
  return actions.includes(action);
}

export const stateTexts = lazily(
  (): Record<Exclude<Guild['state'], 'ready'>, { label: string; explanation: string }> => ({
    unknown: {
      label: t`Not set up`,
      explanation: t`Guildbook does not know this guild yet. Ask the operator of this service to set it up.`,
    },
    'no-plan': {
      label: t`No active plan`,
      explanation: t`New keys need an active plan; existing keys work until they expire. Ask the operator of this service to activate a plan.`,
    },
  }),
);

/** The arguments of the command with which the operator adds the guild with a plan. */
export function setupArguments({ guildId, name }: Pick<Guild, 'guildId' | 'name'>): string {
  return `guild set ${guildId} --name ${shellQuote(name)} --plan developer`;
}

export function planText({ plan }: Pick<Guild, 'plan'>): string {
  if (plan === null || plan === 'none') return t`No plan`;
  const name = `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;
  return t`${name} plan`;
}
