import { actorOf } from '../../domain/access/actors.ts';
import { DashboardGuildParams, GuildSettingsBody, GuildSettingsReply } from '../../wire/dashboard.ts';
import { createSessionAccess } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';
import { toWireDisplay } from './session.ts';

export const putSettings = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: '/dashboard/api/guilds/{guildId}/settings',
  params: DashboardGuildParams,
  body: GuildSettingsBody,
  reply: GuildSettingsReply,
} satisfies Route;

/** How a guild's amounts are shown, and whether balances may fall below zero. */
export function addSettings({ add, parts }: DashboardScope): void {
  add(putSettings, createSessionAccess(putSettings, parts), async ({ who, params: { guildId }, body }) => {
    await who.confirm();
    // A guild that the service does not know is not made here.
    await parts.guilds.find(guildId);
    const { currencyName, currencySymbol, decimalsShown, overdraftAllowed } = body;
    const wanted = { guildId, currencyName, currencySymbol, decimalsShown, overdraftAllowed };
    const guild = await parts.guilds.set(wanted, actorOf(who.session));
    const data = { overdraftAllowed: guild.overdraftAllowed, display: toWireDisplay(guild) };
    return answerJson({ success: true, data });
  });
}
