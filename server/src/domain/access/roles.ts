import { DomainError } from '../errors.ts';
import type { Change, GuildRef, ManagedGuild } from '../model.ts';

/** The roles of people in the dashboard, in ascending order: each includes the rights of those before it. */
export const ROLES = ['viewer', 'treasurer', 'manager'] as const;
export type Role = (typeof ROLES)[number];

export const CHAT_ROLES_MAX = 100;
export const PEOPLE_MAX = 500;

/** A role of the chat platform that gives its members a role here. */
export interface ChatRole {
  chatRoleId: string;
  /** Typed in by a person: the platform does not reveal the names of roles. */
  name: string;
  role: Role;
}

/** An invited person. */
export interface InvitedPerson {
  chatId: string;
  role: Role;
  /** The actor who invited them. */
  invitedBy: string;
  createdAtMs: number;
}

/** The roles that a guild has stored for its chat roles and for one person. */
export interface GuildGrants {
  guildId: string;
  chatRoles: readonly Pick<ChatRole, 'chatRoleId' | 'role'>[];
  /** The role of the person's own invitation. */
  invitedAs: Role | undefined;
}

export interface RoleStore {
  /** Chat roles are ordered by name, people by chatId. */
  chatRoles(guild: GuildRef): Promise<ChatRole[]>;
  people(guild: GuildRef): Promise<InvitedPerson[]>;
  /** The grants of those given guilds that have chat roles or have invited the person. */
  grants(chatId: string, guildIds: readonly string[]): Promise<GuildGrants[]>;
  /** Sets the role that a chat role gives. Rejects with `invalid_input` beyond `CHAT_ROLES_MAX`. */
  setChatRole(guild: GuildRef, chatRole: ChatRole, change: Change): Promise<void>;
  /** False when the chat role gives no role. */
  deleteChatRole(guild: GuildRef, chatRoleId: string, change: Change): Promise<boolean>;
  /** Invites somebody, or changes their role. Rejects with `invalid_input` beyond `PEOPLE_MAX`. */
  setPerson(guild: GuildRef, person: Pick<InvitedPerson, 'chatId' | 'role'>, change: Change): Promise<void>;
  /** False when the person was not invited. */
  deletePerson(guild: GuildRef, chatId: string, change: Change): Promise<boolean>;
}

/**
 * True when only people who manage the guild on the platform itself may grant this role. Otherwise managers could
 * appoint managers, and the role could never be withdrawn from all who got it through others.
 */
export function needsPlatformToGrant(role: Role): boolean {
  return role === 'manager';
}

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * The role of a member of a guild: manager for those who manage it on the platform, otherwise the highest of their
 * chat roles and their invitation. Undefined for none.
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

const PERSON_SUBJECT = 'person ';

/** The subjects of audit entries about a chat role, an invitation and a person. */
export const chatRoleSubject = (chatRoleId: string) => `chat role ${chatRoleId}`;
export const invitationSubject = (invitationId: string) => `invitation ${invitationId}`;
export const personSubject = (chatId: string) => `${PERSON_SUBJECT}${chatId}`;

/** The chat account of such a subject; undefined when it is a chat role. */
export function personOfSubject(subjectId: string): string | undefined {
  return subjectId.startsWith(PERSON_SUBJECT) ? subjectId.slice(PERSON_SUBJECT.length) : undefined;
}
