import { DomainError } from '../errors.ts';
import type { Actor, Standing } from '../model.ts';
import type { ChatNames } from '../people/chat-names.ts';
import type { Clock, SessionStore } from '../ports.ts';
import { parseActor } from './actors.ts';
import type { Guilds } from './guilds.ts';
import { type ChatRole, type InvitedPerson, ROLES, type Role, type RoleStore } from './roles.ts';
import type { SignedInMember } from './session-store.ts';

/** An invited person, with a name if they have signed in before, are verified, or the chat platform names them. */
export interface NamedPerson extends Omit<InvitedPerson, 'invitedBy'> {
  name: string | undefined;
  invitedBy: { id: string; name: string | undefined };
}

/** A signed-in person whose role does not come from an invitation. */
export interface OtherPerson {
  chatId: string;
  name: string;
  role: Role;
  /** Their standing on the chat platform, or the name of the chat role that gives them the role. */
  through: { kind: 'platform'; standing: Exclude<Standing, 'member'> } | { kind: 'chat-role'; name: string };
  lastSeenAtMs: number;
}

/** The roles that a guild gives to people and to chat roles. People who manage the guild on the platform need none. */
export interface GuildRoles {
  /** `others` are the people with access who are signed in now: the chat platform lists nobody else. */
  list(guildId: string): Promise<{ chatRoles: ChatRole[]; people: NamedPerson[]; others: OtherPerson[] }>;
  setChatRole(guildId: string, chatRole: ChatRole, actor: Actor): Promise<void>;
  deleteChatRole(guildId: string, chatRoleId: string, actor: Actor): Promise<void>;
  invite(guildId: string, person: { chatId: string; role: Role }, actor: Actor): Promise<void>;
  removePerson(guildId: string, chatId: string, actor: Actor): Promise<void>;
}

export interface GuildRolesParts {
  store: RoleStore;
  guilds: Guilds;
  sessionStore: SessionStore;
  chatNames: ChatNames;
  clock: Clock;
}

export function createGuildRoles(parts: GuildRolesParts): GuildRoles {
  const { store, guilds, sessionStore, clock } = parts;
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
      const names = await parts.chatNames.find(guildId, [...ids]);
      const named = people.map(({ invitedBy, ...person }) => {
        const { id } = parseActor(invitedBy);
        return { ...person, name: names.get(person.chatId), invitedBy: { id, name: names.get(id) } };
      });
      const signedIn = await sessionStore.findByGuild(guildId, clock.nowMs());
      return { chatRoles, people: named, others: othersOf(signedIn, chatRoles) };
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

/** Each person once, as their session that was seen last knows them. */
function othersOf(signedIn: readonly SignedInMember[], chatRoles: readonly ChatRole[]): OtherPerson[] {
  const seen = new Set<string>();
  return signedIn.flatMap((member) => {
    const { chatId, name } = member.user;
    const access = accessOf(member, chatRoles);
    if (seen.has(chatId) || access === undefined) {
      return [];
    }
    seen.add(chatId);
    return [{ chatId, name, ...access, lastSeenAtMs: member.lastSeenAtMs }];
  });
}

function accessOf(
  { standing, chatRoleIds }: SignedInMember,
  chatRoles: readonly ChatRole[],
): Pick<OtherPerson, 'role' | 'through'> | undefined {
  if (standing !== 'member') {
    return { role: 'manager', through: { kind: 'platform', standing } };
  }
  const held = chatRoles.filter(({ chatRoleId }) => chatRoleIds.includes(chatRoleId));
  const highest = ROLES.toReversed().flatMap((role) => held.find((one) => one.role === role) ?? [])[0];
  return highest && { role: highest.role, through: { kind: 'chat-role', name: highest.name } };
}
