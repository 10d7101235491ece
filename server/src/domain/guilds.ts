import { DomainError } from './errors.ts';
import type { Guild, Plan } from './model.ts';
import type { Clock, GuildStore } from './ports.ts';

export interface GuildChange {
  guildId: string;
  name?: string | undefined;
  plan?: Plan | undefined;
  planUntilMs?: number | undefined;
  overdraftAllowed?: boolean | undefined;
}

export interface Guilds {
  find(guildId: string): Promise<Guild>;
  list(): Promise<Guild[]>;
  /** Creates the guild, or changes what is given and leaves the rest. A newly given plan replaces the old end date too. */
  set(change: GuildChange): Promise<Guild>;
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
    async set(change) {
      const present = await store.find(change.guildId);
      const name = change.name ?? present?.name;
      if (name === undefined) {
        throw new DomainError('invalid_input', { detail: 'a new guild needs a name' });
      }
      const keepsEnd = change.plan === undefined || change.planUntilMs !== undefined;
      return store.put({
        guildId: change.guildId,
        name,
        plan: change.plan ?? present?.plan ?? defaultPlan,
        planUntilMs: change.planUntilMs ?? (keepsEnd ? present?.planUntilMs : undefined),
        overdraftAllowed: change.overdraftAllowed ?? present?.overdraftAllowed ?? true,
        createdAtMs: present?.createdAtMs ?? clock.nowMs(),
      });
    },
  };
}

/** Only an active Developer or Enterprise plan allows new keys. Existing keys live on until they expire. */
export function hasActivePlan(guild: Guild, nowMs: number): boolean {
  return guild.plan !== 'none' && (guild.planUntilMs === undefined || guild.planUntilMs > nowMs);
}
