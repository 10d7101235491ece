import { DomainError } from '../errors.ts';
import type { Actor, Guild, GuildChange, Plan } from '../model.ts';
import type { Clock, GuildStore } from '../ports.ts';
import { assertTimeZone } from './preferences.ts';

export interface Guilds {
  find(guildId: string): Promise<Guild>;
  list(): Promise<Guild[]>;
  /**
   * Creates the guild, or changes the given fields and keeps the others. A given plan without an end date removes the
   * old end date.
   */
  set(change: GuildChange, actor: Actor): Promise<Guild>;
}

export function createGuilds(parts: { store: GuildStore; clock: Clock; defaultPlan: Plan }): Guilds {
  const { store, clock, defaultPlan } = parts;
  return {
    async find(guildId) {
      const guild = await store.find(guildId);
      if (guild === undefined) {
        throw new DomainError('guild_not_found', { detail: `there is no guild ${guildId}` });
      }
      return guild;
    },
    list: () => store.list(),
    async set(change, actor) {
      if (typeof change.timeZone === 'string') {
        assertTimeZone(change.timeZone);
      }
      return store.set({ ...change, defaultPlan }, { actor, atMs: clock.nowMs() });
    },
  };
}

/** Applies a change to a guild. Stores call it inside the commit, so that of two concurrent changes neither is lost. */
export function changeGuild(
  present: Guild | undefined,
  change: GuildChange & { defaultPlan: Plan },
  nowMs: number,
): Omit<Guild, 'guildNo'> {
  const name = change.name ?? present?.name;
  if (name === undefined) {
    throw new DomainError('invalid_input', { detail: 'a new guild needs a name' });
  }
  return {
    guildId: change.guildId,
    name,
    icon: given(change.icon, present?.icon),
    ownerChatId: given(change.ownerChatId, present?.ownerChatId),
    plan: change.plan ?? present?.plan ?? change.defaultPlan,
    planUntilMs: given(change.planUntilMs, change.plan === undefined ? present?.planUntilMs : undefined),
    overdraftAllowed: change.overdraftAllowed ?? present?.overdraftAllowed ?? true,
    currencyName: given(change.currencyName, present?.currencyName),
    currencySymbol: given(change.currencySymbol, present?.currencySymbol),
    decimalsShown: given(change.decimalsShown, present?.decimalsShown),
    timeZone: given(change.timeZone, present?.timeZone),
    language: given(change.language, present?.language),
    sealPublic: change.sealPublic ?? present?.sealPublic ?? false,
    ownAccounts: change.ownAccounts ?? present?.ownAccounts ?? true,
    createdAtMs: present?.createdAtMs ?? nowMs,
  };
}

/** Only an active Developer or Enterprise plan allows new keys. Existing keys live on until they expire. */
export function hasActivePlan(guild: Guild, nowMs: number): boolean {
  return guild.plan !== 'none' && (guild.planUntilMs === undefined || guild.planUntilMs > nowMs);
}

/**
 * Refuses an operation that needs an active plan. `purpose` is the beginning of the error's sentence, such as
 * `creating a key`.
 */
export function requireActivePlan(guild: Guild, nowMs: number, purpose: string): void {
  if (hasActivePlan(guild, nowMs)) {
    return;
  }
  const { plan, planUntilMs } = guild;
  const state =
    plan === 'none' || planUntilMs === undefined
      ? 'this guild has none'
      : `this guild's ${plan} plan ended on ${new Date(planUntilMs).toISOString()}`;
  const detail = `${purpose} needs an active Developer or Enterprise plan, and ${state}`;
  throw new DomainError('plan_required', { detail });
}

/** `undefined` keeps the current value, `null` clears it. */
function given<Value>(value: Value | null | undefined, present: Value | undefined): Value | undefined {
  return value === undefined ? present : (value ?? undefined);
}
