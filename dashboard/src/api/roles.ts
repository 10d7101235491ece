import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Guild } from './guilds.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

export type Roles = Reply<'RolesReply'>['data'];
export type Role = NonNullable<Guild['role']>;

export function rolesQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'roles'],
    queryFn: async () => (await request('RolesReply', guildPath(guildId, ['roles']))).data,
    refetchOnWindowFocus: true,
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

export interface InvitationOrder {
  role: Role;
  /** The number of people who may accept it. */
  uses: number;
  days: number;
}

/** Makes an invitation and returns its token, which the service sends only once. */
export async function createInvitation(
  session: Session,
  guildId: string,
  body: InvitationOrder,
): Promise<string> {
  const { csrfToken } = session;
  const path = guildPath(guildId, ['roles', 'invitations']);
  return (await request('InvitationReply', path, { method: 'POST', body, csrfToken })).data.token;
}

export async function revokeInvitation(session: Session, guildId: string, id: string): Promise<void> {
  const { csrfToken } = session;
  const path = guildPath(guildId, ['roles', 'invitations', id]);
  await request('DoneReply', path, { method: 'DELETE', csrfToken });
}

export interface Acceptance {
  guildId: string;
  token: string;
}

export async function acceptInvitation({ csrfToken }: Session, body: Acceptance) {
  return (await request('AcceptanceReply', '/invitations', { method: 'POST', body, csrfToken })).data;
}
