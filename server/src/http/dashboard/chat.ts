import { actorOf } from '../../domain/access/actors.ts';
import { CHAT_COMMANDS } from '../../domain/chat/commands.ts';
import type { ChatSettings } from '../../domain/chat/settings.ts';
import { decimalText, unitsFromNumber } from '../../domain/ledger/amount.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { ChatSettingsBody, ChatSettingsReply } from '../../wire/dashboard-chat.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const getChat = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/chat',
  params: DashboardGuildParams,
  reply: ChatSettingsReply,
} satisfies Route;

const putChat = { ...getChat, method: 'PUT', body: ChatSettingsBody } satisfies Route;

/** A guild's settings for the commands of the chat. */
export const CHAT_SETTINGS_ENDPOINTS = [
  forSession(getChat, ({ guilds, store, chatInteractions }) => async ({ params: { guildId } }) => {
    const settings = await store.chat.settings(await guilds.find(guildId));
    return answerJson({ success: true, data: toWire(settings, chatInteractions !== undefined) });
  }),
  forSession(
    putChat,
    ({ guilds, store, clock, chatInteractions }) =>
      async ({ who, params: { guildId }, body }) => {
        const settings = toSettings(body);
        const change = { actor: actorOf(who.session), atMs: clock.nowMs() };
        await store.chat.setSettings(await guilds.find(guildId), settings, change);
        return answerJson({ success: true, data: toWire(settings, chatInteractions !== undefined) });
      },
  ),
];

interface WantedSettings extends Pick<ChatSettings, 'membersPay' | 'balancesShown'> {
  commandsOff: readonly string[];
  payDayMax: number | null;
}

/** Names of commands that do not exist are dropped: an older page may know commands that are gone. */
function toSettings({ commandsOff, membersPay, payDayMax, balancesShown }: WantedSettings): ChatSettings {
  return {
    commandsOff: CHAT_COMMANDS.map(({ name }) => name).filter((name) => commandsOff.includes(name)),
    membersPay,
    payDayMaxUnits: payDayMax === null ? undefined : unitsFromNumber('payDayMax', payDayMax),
    balancesShown,
  };
}

function toWire(settings: ChatSettings, isConfigured: boolean): object {
  const { commandsOff, membersPay, payDayMaxUnits, balancesShown } = settings;
  return {
    isConfigured,
    commands: CHAT_COMMANDS.map(({ name, description, localized, role }) => ({
      name,
      description,
      descriptions: Object.fromEntries(Object.entries(localized).map(([tag, [, text]]) => [tag, text])),
      role: role ?? null,
      isOn: !commandsOff.includes(name),
    })),
    membersPay,
    payDayMax: payDayMaxUnits === undefined ? null : decimalText(payDayMaxUnits),
    balancesShown,
  };
}
