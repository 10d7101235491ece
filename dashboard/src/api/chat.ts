import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

/** A guild's settings for the commands of the chat. */
export type ChatSettings = Reply<'ChatSettingsReply'>['data'];

export interface ChatSettingsChange {
  commandsOff: string[];
  membersPay: boolean;
  payDayMax: number | null;
  balancesShown: boolean;
}

export const chatSettingsQuery = (guildId: string) =>
  queryOptions({
    queryKey: ['guilds', guildId, 'chat'],
    queryFn: async () => (await request('ChatSettingsReply', guildPath(guildId, ['chat']))).data,
  });

export async function saveChatSettings(
  { csrfToken }: Session,
  guildId: string,
  body: ChatSettingsChange,
): Promise<void> {
  await request('ChatSettingsReply', guildPath(guildId, ['chat']), { method: 'PUT', body, csrfToken });
}
