import { DomainError } from '../errors.ts';
import type { Actor } from '../model.ts';
import type { Clock, SessionStore } from '../ports.ts';
import { parseActor } from './actors.ts';
import type { Guilds } from './guilds.ts';
import type { ChatRole, InvitedPerson, Role, RoleStore } from './roles.ts';

/** An invited person, with a name if they have signed in before. */
export interface NamedPerson extends Omit<InvitedPerson, 'invitedBy'> {
  name: string | undefined;
  invitedBy: { id: string; name: string | undefined };
}

/** The roles that a guild gives to people and to chat roles. People who manage the guild on the platform need none. */
export interface GuildRoles {
  list(guildId: string): Promise<{ chatRoles: ChatRole[]; people: NamedPerson[] }>;
  setChatRole(guildId: string, chatRole: ChatRole, actor: Actor): Promise<void>;
  deleteChatRole(guildId: string, chatRoleId: string, actor: Actor): Promise<void>;
  invite(guildId: string, person: { chatId: string; role: Role }, actor: Actor): Promise<void>;
  removePerson(guildId: string, chatId: string, actor: Actor): Promise<void>;
}

export interface GuildRolesParts {
  store: RoleStore;
  guilds: Guilds;
  sessionStore: SessionStore;
  clock: Clock;
}

export function createGuildRoles({ store, guilds, sessionStore, clock }: GuildRolesParts): GuildRoles {
  const by = (actor: Actor) => ({ actor, atMs: clock.nowMs() });
  const requireFound = (isFound: boolean) => {
    if (!isFound) {
      throw new DomainError('role_not_found');
    }
  };
  return {
    async list(guildId) {
      const guild = await guilds.find(guildId);
      const [chatRoles, people] = await Promise.all([store.chatRoles(guild), store.people(guild)]);
      const inviters = people.map(({ invitedBy }) => parseActor(invitedBy).id);
      const ids = new Set([...people.map(({ chatId }) => chatId), ...inviters]);
      const users = await sessionStore.findUsers([...ids]);
      const names = new Map(users.map(({ chatId, name }) => [chatId, name]));
      const named = people.map(({ invitedBy, ...person }) => {
        const { id } = parseActor(invitedBy);
        return { ...person, name: names.get(person.chatId), invitedBy: { id, name: names.get(id) } };
      });
      return { chatRoles, people: named };
    },
    async setChatRole(guildId, chatRole, actor) {
      await store.setChatRole(await guilds.find(guildId), chatRole, by(actor));
    },
    async deleteChatRole(guildId, chatRoleId, actor) {
      requireFound(await store.deleteChatRole(await guilds.find(guildId), chatRoleId, by(actor)));
    },
    async invite(guildId, person, actor) {
      await store.setPerson(await guilds.find(guildId), person, by(actor));
    },
    async removePerson(guildId, chatId, actor) {
      requireFound(await store.deletePerson(await guilds.find(guildId), chatId, by(actor)));
    },
  };
}
