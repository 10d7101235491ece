import type { GuildGrants, Role } from '../../domain/access/roles.ts';

/** A role that a guild grants to a chat role, or to the person by invitation; then `chatRoleId` is null. */
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
