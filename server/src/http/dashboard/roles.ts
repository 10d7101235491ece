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
import { createSessionAccess } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

const ROLES = '/dashboard/api/guilds/{guildId}/roles';

export const listRoles = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: ROLES,
  params: DashboardGuildParams,
  reply: RolesReply,
} satisfies Route;

export const putChatRole = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: `${ROLES}/chat-roles/{chatRoleId}`,
  params: ChatRoleParams,
  body: ChatRoleBody,
  reply: DoneReply,
} satisfies Route;

export const deleteChatRole = {
  ...SESSION_ROUTE,
  method: 'DELETE',
  path: putChatRole.path,
  params: ChatRoleParams,
  reply: DoneReply,
} satisfies Route;

export const putPerson = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: `${ROLES}/people/{chatId}`,
  params: PersonParams,
  body: PersonBody,
  reply: DoneReply,
} satisfies Route;

export const deletePerson = {
  ...SESSION_ROUTE,
  method: 'DELETE',
  path: putPerson.path,
  params: PersonParams,
  reply: DoneReply,
} satisfies Route;

/** Who sees and changes what of a guild, beside those who manage it on the chat platform. */
export function addRoles({ add, parts }: DashboardScope): void {
  const { guildRoles } = parts;
  add(listRoles, createSessionAccess(listRoles, parts), async ({ params: { guildId } }) => {
    const { chatRoles, people } = await guildRoles.list(guildId);
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
      },
    });
  });
  add(putChatRole, createSessionAccess(putChatRole, parts), async ({ who, params, body }) => {
    await who.confirm({ onPlatform: needsPlatformToGrant(body.role) });
    const { guildId, chatRoleId } = params;
    await guildRoles.setChatRole(guildId, { chatRoleId, ...body }, actorOf(who.session));
    return answerJson({ success: true, message: 'Chat role saved' });
  });
  add(deleteChatRole, createSessionAccess(deleteChatRole, parts), async ({ who, params }) => {
    await who.confirm();
    await guildRoles.deleteChatRole(params.guildId, params.chatRoleId, actorOf(who.session));
    return answerJson({ success: true, message: 'Chat role removed' });
  });
  add(
    putPerson,
    createSessionAccess(putPerson, parts),
    async ({ who, params: { guildId, chatId }, body }) => {
      await who.confirm({ onPlatform: needsPlatformToGrant(body.role) });
      await guildRoles.invite(guildId, { chatId, role: body.role }, actorOf(who.session));
      return answerJson({ success: true, message: 'Person invited' });
    },
  );
  add(
    deletePerson,
    createSessionAccess(deletePerson, parts),
    async ({ who, params: { guildId, chatId } }) => {
      await who.confirm();
      await guildRoles.removePerson(guildId, chatId, actorOf(who.session));
      return answerJson({ success: true, message: 'Person removed' });
    },
  );
}
