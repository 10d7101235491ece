import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Guild } from './guilds.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

export type Roles = Reply<'RolesReply'>['data'];
export type Role = Guild['role'];

export function rolesQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'roles'],
    queryFn: async () => (await request('RolesReply', guildPath(guildId, ['roles']))).data,
  });
}

/** A person, or everybody with a role of the chat platform. */
export interface Grantee {
  kind: 'people' | 'chat-roles';
  id: string;
}

export async function saveRole(
  session: Session,
  guildId: string,
  { kind, id, ...body }: Grantee & { role: Role; name?: string },
): Promise<void> {
  const { csrfToken } = session;
  await request('DoneReply', guildPath(guildId, ['roles', kind, id]), { method: 'PUT', body, csrfToken });
}

export async function removeRole(session: Session, guildId: string, { kind, id }: Grantee): Promise<void> {
  const { csrfToken } = session;
  await request('DoneReply', guildPath(guildId, ['roles', kind, id]), { method: 'DELETE', csrfToken });
}
