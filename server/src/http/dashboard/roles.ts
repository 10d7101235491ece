import { actorOf } from '../../domain/access/actors.ts';
import { needsPlatformToGrant } from '../../domain/access/roles.ts';
import {
  ChatRoleBody,
  ChatRoleParams,
  DashboardGuildParams,
  DoneReply,
  PersonBody,
  PersonParams,
  RolesReply,
} from '../../wire/dashboard.ts';
import { requireOnPlatform } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const ROLES = '/dashboard/api/guilds/{guildId}/roles';

const listRoles = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: ROLES,
  params: DashboardGuildParams,
  reply: RolesReply,
} satisfies Route;

const putChatRole = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: `${ROLES}/chat-roles/{chatRoleId}`,
  params: ChatRoleParams,
  body: ChatRoleBody,
  reply: DoneReply,
} satisfies Route;

const deleteChatRole = {
  ...SESSION_ROUTE,
  method: 'DELETE',
  path: putChatRole.path,
  params: ChatRoleParams,
  reply: DoneReply,
} satisfies Route;

const putPerson = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: `${ROLES}/people/{chatId}`,
  params: PersonParams,
  body: PersonBody,
  reply: DoneReply,
} satisfies Route;

const deletePerson = {
  ...SESSION_ROUTE,
  method: 'DELETE',
  path: putPerson.path,
  params: PersonParams,
  reply: DoneReply,
} satisfies Route;

/** The roles that a guild grants to people and chat roles. People who manage it on the chat platform need none. */
export const ROLE_ENDPOINTS = [
  forSession(listRoles, ({ guildRoles, invitations }) => async ({ params: { guildId } }) => {
    const { chatRoles, people, others } = await guildRoles.list(guildId);
    const links = await invitations.list(guildId);
    return answerJson({
      success: true,
      data: {
        chatRoles,
        people: people.map(({ name = null, invitedBy, createdAtMs, ...person }) => ({
          ...person,
          name,
          invitedBy: { id: invitedBy.id, name: invitedBy.name ?? null },
          createdAt: new Date(createdAtMs).toISOString(),
        })),
        invitations: links.map(({ invitationId, createdBy, createdAtMs, expiresAtMs, ...link }) => ({
          ...link,
          id: invitationId,
          createdBy: { id: createdBy.id, name: createdBy.name ?? null },
          createdAt: new Date(createdAtMs).toISOString(),
          expiresAt: new Date(expiresAtMs).toISOString(),
        })),
        others: others.map(({ through, lastSeenAtMs, ...person }) => ({
          ...person,
          through: {
            kind: through.kind,
            name: through.kind === 'platform' ? through.standing : through.name,
          },
          seenAt: new Date(lastSeenAtMs).toISOString(),
        })),
      },
    });
  }),
  forSession(putChatRole, ({ guildRoles }) => async ({ who, params, body }) => {
    if (needsPlatformToGrant(body.role)) {
      requireOnPlatform(who);
    }
    const { guildId, chatRoleId } = params;
    await guildRoles.setChatRole(guildId, { chatRoleId, ...body }, actorOf(who.session));
    return answerJson({ success: true, message: 'Chat role saved' });
  }),
  forSession(deleteChatRole, ({ guildRoles }) => async ({ who, params }) => {
    await guildRoles.deleteChatRole(params.guildId, params.chatRoleId, actorOf(who.session));
    return answerJson({ success: true, message: 'Chat role removed' });
  }),
  forSession(putPerson, ({ guildRoles }) => async ({ who, params: { guildId, chatId }, body }) => {
    if (needsPlatformToGrant(body.role)) {
      requireOnPlatform(who);
    }
    await guildRoles.invite(guildId, { chatId, role: body.role }, actorOf(who.session));
    return answerJson({ success: true, message: 'Person invited' });
  }),
  forSession(deletePerson, ({ guildRoles }) => async ({ who, params: { guildId, chatId } }) => {
    await guildRoles.removePerson(guildId, chatId, actorOf(who.session));
    return answerJson({ success: true, message: 'Person removed' });
  }),
];
