import type { GuildGrants, Role } from '../../domain/access/roles.ts';

/** What a guild grants, a row for each chat role and one for the person's own invitation, which names no chat role. */
export interface GrantRow {
  guildId: string;
  chatRoleId: string | null;
  role: Role;
}

export function toGrants(rows: readonly GrantRow[]): GuildGrants[] {
  const grants = new Map<
    string,
    { guildId: string; chatRoles: { chatRoleId: string; role: Role }[]; invitedAs: Role | undefined }
  >();
  for (const { guildId, chatRoleId, role } of rows) {
    const grant = grants.get(guildId) ?? { guildId, chatRoles: [], invitedAs: undefined };
    if (chatRoleId === null) {
      grant.invitedAs = role;
    } else {
      grant.chatRoles.push({ chatRoleId, role });
    }
    grants.set(guildId, grant);
  }
  return [...grants.values()];
}

/** What the log calls a chat role and a person. */
export const chatRoleSubject = (chatRoleId: string) => `chat role ${chatRoleId}`;
export const personSubject = (chatId: string) => `person ${chatId}`;
