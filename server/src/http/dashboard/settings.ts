import { actorOf } from '../../domain/access/actors.ts';
import { UTC } from '../../domain/guild-calendar.ts';
import { USUAL_LANGUAGE } from '../../texts/language.ts';
import { DashboardGuildParams, GuildSettingsBody, GuildSettingsReply } from '../../wire/dashboard.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import { toWireDisplay } from './session.ts';

const putSettings = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: '/dashboard/api/guilds/{guildId}/settings',
  params: DashboardGuildParams,
  body: GuildSettingsBody,
  reply: GuildSettingsReply,
} satisfies Route;

/**
 * How a guild's amounts are shown, the calendar of its days, the language of its messages, whether balances may fall below zero,
 * whether its sealed log is public, and whether members see their own accounts.
 */
export const SETTINGS_ENDPOINTS = [
  forSession(putSettings, ({ guilds }) => async ({ who, params: { guildId }, body }) => {
    // Refuses an unknown guild, which `set` would create.
    await guilds.find(guildId);
    const { currencyName, currencySymbol, decimalsShown, timeZone, language } = body;
    const { overdraftAllowed, sealPublic, ownAccounts } = body;
    const display = { currencyName, currencySymbol, decimalsShown };
    const wanted = { guildId, ...display, overdraftAllowed, sealPublic, ownAccounts, timeZone, language };
    const guild = await guilds.set(wanted, actorOf(who.session));
    const data = {
      overdraftAllowed: guild.overdraftAllowed,
      sealPublic: guild.sealPublic,
      ownAccounts: guild.ownAccounts,
      timeZone: guild.timeZone ?? UTC,
      language: guild.language ?? USUAL_LANGUAGE,
      display: toWireDisplay(guild),
    };
    return answerJson({ success: true, data });
  }),
];
