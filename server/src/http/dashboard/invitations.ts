import { actorOf } from '../../domain/access/actors.ts';
import { needsPlatformToGrant } from '../../domain/access/roles.ts';
import type { Dashboard } from '../../domain/dashboard.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Session } from '../../domain/model.ts';
import { DashboardGuildParams, DoneReply } from '../../wire/dashboard.ts';
import {
  AcceptanceBody,
  AcceptanceReply,
  InvitationBody,
  InvitationParams,
  InvitationReply,
} from '../../wire/dashboard-invitations.ts';
import { requireOnPlatform } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const INVITATIONS = '/dashboard/api/guilds/{guildId}/roles/invitations';

const createInvitation = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: INVITATIONS,
  params: DashboardGuildParams,
  body: InvitationBody,
  reply: InvitationReply,
} satisfies Route;

const revokeInvitation = {
  ...SESSION_ROUTE,
  method: 'DELETE',
  path: `${INVITATIONS}/{invitationId}`,
  params: InvitationParams,
  reply: DoneReply,
} satisfies Route;

const acceptInvitation = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: '/dashboard/api/invitations',
  body: AcceptanceBody,
  reply: AcceptanceReply,
} satisfies Route;

/** Links that give a role. The person who accepts one has no role in the guild yet. */
export const INVITATION_ENDPOINTS = [
  forSession(createInvitation, ({ invitations }) => async ({ who, params, body }) => {
    if (needsPlatformToGrant(body.role)) {
      requireOnPlatform(who);
    }
    const { token } = await invitations.create(params.guildId, body, actorOf(who.session));
    return answerJson({ success: true, data: { token } });
  }),
  forSession(revokeInvitation, ({ invitations }) => async ({ who, params }) => {
    await invitations.revoke(params.guildId, params.invitationId, actorOf(who.session));
    return answerJson({ success: true, message: 'Invitation withdrawn' });
  }),
  forSession(acceptInvitation, ({ invitations, dashboard }) => async ({ who, body }) => {
    const { guildId, token } = body;
    const role = await invitations.accept(guildId, token, actorOf(who.session));
    const isMember = await isMemberOf(dashboard, who.session, guildId);
    return answerJson({ success: true, data: { guildId, role, isMember } });
  }),
];

/** Asks the chat platform now, so that the guild is in the person's list at once. */
async function isMemberOf(
  dashboard: Pick<Dashboard, 'requireRoleNow'>,
  session: Session,
  guildId: string,
): Promise<boolean> {
  try {
    await dashboard.requireRoleNow(session, guildId, { role: 'viewer' });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_guild_manager') {
      return false;
    }
    throw error;
  }
}
