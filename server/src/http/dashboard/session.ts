import type { DashboardGuild, GuildDisplay } from '../../domain/dashboard-guilds.ts';
import { UTC } from '../../domain/guild-calendar.ts';
import { USUAL_LANGUAGE } from '../../texts/language.ts';
import { DoneReply, GuildsReply, SessionReply } from '../../wire/dashboard.ts';
import { actionsOf } from '../../wire/roles.ts';
import type { SessionRoute } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const getSession = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/session',
  reply: SessionReply,
} satisfies Route;

const signOut = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: '/dashboard/api/sign-out',
  // A person whose session was stolen can always end it.
  isUnlimited: true,
  reply: DoneReply,
} satisfies SessionRoute;

const signOutEverywhere = { ...signOut, path: '/dashboard/api/sign-out-everywhere' } satisfies SessionRoute;

const listGuilds = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds',
  reply: GuildsReply,
} satisfies Route;

const SIGNED_OUT = { success: true, message: 'Signed out' };

export const SESSION_ENDPOINTS = [
  forSession(
    getSession,
    ({ chatPictures, editsVerifications, keyLifetimeDaysMax, preferences, trustedProxies }) =>
      async ({ who: { session, csrfToken } }) => {
        const { chatId, name, avatar } = session.user;
        return answerJson({
          success: true,
          data: {
            user: { chatId, name, avatar: chatPictures.hashOf(avatar) ?? null },
            csrfToken,
            expiresAt: new Date(session.expiresAtMs).toISOString(),
            keyLifetimeDaysMax,
            trustsProxy: trustedProxies.length > 0,
            preferences: await preferences.find(chatId),
            editsVerifications,
          },
        });
      },
  ),
  forSession(signOut, ({ cookies, sessions }) => async ({ who }) => {
    await sessions.end(who.session);
    return answerJson(SIGNED_OUT, cookies.clearSession());
  }),
  forSession(signOutEverywhere, ({ cookies, sessions }) => async ({ who }) => {
    await sessions.endAll(who.session);
    return answerJson(SIGNED_OUT, cookies.clearSession());
  }),
  forSession(listGuilds, ({ dashboard, chatPictures }) => async ({ who }) => {
    const guilds = await dashboard.guilds(who.session);
    return answerJson({
      success: true,
      data: guilds.map((guild) => toWireGuild({ ...guild, icon: chatPictures.hashOf(guild.icon) })),
    });
  }),
];

function toWireGuild({ role, planUntilMs, plan, icon, display, ...guild }: DashboardGuild): object {
  const may = role === undefined ? [] : actionsOf(role, guild.standing !== 'member');
  const planUntil = planUntilMs === undefined ? null : new Date(planUntilMs).toISOString();
  const shown = toWireDisplay(display);
  return {
    ...guild,
    role: role ?? null,
    may,
    icon: icon ?? null,
    plan: plan ?? null,
    planUntil,
    timeZone: guild.timeZone ?? UTC,
    language: guild.language ?? USUAL_LANGUAGE,
    display: shown,
  };
}

export function toWireDisplay({ currencyName, currencySymbol, decimalsShown }: GuildDisplay): object {
  return {
    currencyName: currencyName ?? null,
    currencySymbol: currencySymbol ?? null,
    decimalsShown: decimalsShown ?? null,
  };
}
