import type { DashboardGuild, GuildDisplay } from '../../domain/dashboard.ts';
import { DoneReply, GuildsReply, SessionReply } from '../../wire/dashboard.ts';
import { actionsOf } from '../../wire/roles.ts';
import { createSessionAccess } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

export const getSession = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/session',
  reply: SessionReply,
} satisfies Route;

export const signOut = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: '/dashboard/api/sign-out',
  reply: DoneReply,
} satisfies Route;

export const signOutEverywhere = { ...signOut, path: '/dashboard/api/sign-out-everywhere' } satisfies Route;

export const listGuilds = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds',
  reply: GuildsReply,
} satisfies Route;

export function addSession({ add, parts }: DashboardScope): void {
  const { sessions, dashboard, cookies } = parts;
  const done = { success: true, message: 'Signed out' };

  add(getSession, createSessionAccess(getSession, parts), async ({ who: { session, csrfToken } }) => {
    const { chatId, name, avatar } = session.user;
    return answerJson({
      success: true,
      data: {
        user: { chatId, name, avatar: avatar ?? null },
        csrfToken,
        expiresAt: new Date(session.expiresAtMs).toISOString(),
        keyLifetimeDaysMax: parts.keyLifetimeDaysMax,
        trustsProxy: parts.trustedProxies.length > 0,
        preferences: await parts.preferences.find(chatId),
        editsVerifications: parts.editsVerifications,
      },
    });
  });
  add(signOut, createSessionAccess(signOut, parts, { isLimited: false }), async ({ who }) => {
    await sessions.end(who.session);
    return answerJson(done, cookies.clearSession());
  });
  add(
    signOutEverywhere,
    createSessionAccess(signOutEverywhere, parts, { isLimited: false }),
    async ({ who }) => {
      await sessions.endAll(who.session);
      return answerJson(done, cookies.clearSession());
    },
  );
  add(listGuilds, createSessionAccess(listGuilds, parts), async ({ who }) => {
    const guilds = await dashboard.guilds(who.session);
    return answerJson({ success: true, data: guilds.map(toWireGuild) });
  });
}

function toWireGuild({ planUntilMs, plan, icon, display, ...guild }: DashboardGuild): object {
  const may = actionsOf(guild.role, guild.standing !== 'member');
  const planUntil = planUntilMs === undefined ? null : new Date(planUntilMs).toISOString();
  const shown = toWireDisplay(display);
  return { ...guild, may, icon: icon ?? null, plan: plan ?? null, planUntil, display: shown };
}

export function toWireDisplay({ currencyName, currencySymbol, decimalsShown }: GuildDisplay): object {
  return {
    currencyName: currencyName ?? null,
    currencySymbol: currencySymbol ?? null,
    decimalsShown: decimalsShown ?? null,
  };
}
