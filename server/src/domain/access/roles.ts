import { DomainError } from '../errors.ts';
import type { Change, GuildRef, ManagedGuild } from '../model.ts';

/** What somebody may do with a guild in the dashboard; each may do what those before it may. */
export const ROLES = ['viewer', 'treasurer', 'manager'] as const;
export type Role = (typeof ROLES)[number];

export const CHAT_ROLES_MAX = 100;
export const PEOPLE_MAX = 500;

/** A role of the chat platform that stands for a role here. */
export interface ChatRole {
  chatRoleId: string;
  /** What people call it; the platform does not tell. */
  name: string;
  role: Role;
}

/** Somebody who was invited. */
export interface InvitedPerson {
  chatId: string;
  role: Role;
  /** The actor who did it. */
  invitedBy: string;
  createdAtMs: number;
}

/** What a guild grants one person, as far as the store knows. */
export interface GuildGrants {
  guildId: string;
  chatRoles: readonly Pick<ChatRole, 'chatRoleId' | 'role'>[];
  /** Of the person's own invitation. */
  invitedAs: Role | undefined;
}

export interface RoleStore {
  /** Ordered by name and by chatId. */
  chatRoles(guild: GuildRef): Promise<ChatRole[]>;
  people(guild: GuildRef): Promise<InvitedPerson[]>;
  /** Of the given guilds those that have chat roles or have invited the person. */
  grants(chatId: string, guildIds: readonly string[]): Promise<GuildGrants[]>;
  /** Sets what a chat role stands for. Rejects with `invalid_input` beyond `CHAT_ROLES_MAX`. */
  setChatRole(guild: GuildRef, chatRole: ChatRole, change: Change): Promise<void>;
  /** False when it stands for nothing. */
  deleteChatRole(guild: GuildRef, chatRoleId: string, change: Change): Promise<boolean>;
  /** Invites somebody, or changes their role. Rejects with `invalid_input` beyond `PEOPLE_MAX`. */
  setPerson(guild: GuildRef, person: Pick<InvitedPerson, 'chatId' | 'role'>, change: Change): Promise<void>;
  /** False when the person was not invited. */
  deletePerson(guild: GuildRef, chatId: string, change: Change): Promise<boolean>;
}

/**
 * Whether giving somebody this role needs the right on the platform itself. Managers make managers otherwise, and a role that was given
 * once could never be taken back from everybody who has it through others.
 */
export function needsPlatformToGrant(role: Role): boolean {
  return role === 'manager';
}

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * What a member of a guild may do: those who manage it on the platform everything, others what the highest of their chat
 * roles and their invitation says. Undefined for nothing.
 */
export function roleOf(
  { standing, chatRoleIds }: Pick<ManagedGuild, 'standing' | 'chatRoleIds'>,
  grants: GuildGrants | undefined,
): Role | undefined {
  if (standing !== 'member') {
    return 'manager';
  }
  const mapped = grants?.chatRoles.filter(({ chatRoleId }) => chatRoleIds.includes(chatRoleId)) ?? [];
  const held = [...mapped.map(({ role }) => role), grants?.invitedAs];
  return ROLES.findLast((role) => held.includes(role));
}

export function assertRoom(count: number, max: number, what: string): void {
  if (count >= max) {
    throw new DomainError('invalid_input', { detail: `a guild has at most ${max} ${what}` });
  }
}
