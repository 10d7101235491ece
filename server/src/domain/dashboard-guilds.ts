import type { Language } from '../texts/language.ts';
import { hasActivePlan } from './access/guilds.ts';
import type { Role } from './access/roles.ts';
import type { Guild, ManagedGuild, Plan } from './model.ts';

/** A guild of a person, with their role there. */
export type PersonGuild = ManagedGuild & { role: Role | undefined };

/** A guild that a person has access to, with the service's data about it. */
export interface DashboardGuild extends Omit<ManagedGuild, 'chatRoleIds'> {
  /** Undefined for a member who sees only their own account. */
  role: Role | undefined;
  /** True when the person may see their own account there. */
  hasOwnAccount: boolean;
  state: 'ready' | 'unknown' | 'no-plan';
  /** Undefined for a guild that the service does not know, and without a role. */
  plan: Plan | undefined;
  planUntilMs: number | undefined;
  display: GuildDisplay;
  overdraftAllowed: boolean;
  sealPublic: boolean;
  ownAccounts: boolean;
  timeZone: string | undefined;
  language: Language | undefined;
}

/** How a guild's amounts are shown. */
export type GuildDisplay = Pick<Guild, 'currencyName' | 'currencySymbol' | 'decimalsShown'>;

const UNKNOWN = {
  state: 'unknown',
  hasOwnAccount: false,
  plan: undefined,
  planUntilMs: undefined,
  timeZone: undefined,
  language: undefined,
  overdraftAllowed: true,
  sealPublic: false,
  ownAccounts: true,
  display: { currencyName: undefined, currencySymbol: undefined, decimalsShown: undefined },
} as const;

/** Describes a guild of a person. `guild` is the service's data about it; undefined for an unknown one. */
export function describeGuild(
  { chatRoleIds: _chatRoleIds, ...managed }: PersonGuild,
  guild: Guild | undefined,
  { isVerified, nowMs }: { isVerified: boolean; nowMs: number },
): DashboardGuild {
  if (guild === undefined) {
    return { ...managed, ...UNKNOWN };
  }
  const { overdraftAllowed, sealPublic, ownAccounts, timeZone, language } = guild;
  const { currencyName, currencySymbol, decimalsShown } = guild;
  const display = { currencyName, currencySymbol, decimalsShown };
  const settings = { overdraftAllowed, sealPublic, ownAccounts, timeZone, language, display };
  const hasOwnAccount = isVerified && ownAccounts;
  if (managed.role === undefined) {
    // The plan concerns only people with a role.
    const nothing = { plan: undefined, planUntilMs: undefined };
    return { ...managed, ...settings, ...nothing, state: 'ready', hasOwnAccount };
  }
  const { plan, planUntilMs } = guild;
  const state = hasActivePlan(guild, nowMs) ? 'ready' : 'no-plan';
  return { ...managed, ...settings, state, plan, planUntilMs, hasOwnAccount };
}
