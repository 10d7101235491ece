import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

/** `state` says whether keys can be made for it, or what is missing: the guild itself, or its plan. */
export type Guild = Reply<'GuildsReply'>['data'][number];

export const guildsQuery = queryOptions({
  queryKey: ['guilds'],
  queryFn: fetchGuilds,
  // What was asked for before the pages were there is good enough for them.
  staleTime: 2_000,
  refetchOnWindowFocus: true,
});

export type MoneyDisplay = Guild['display'];
export type GuildSettings = MoneyDisplay & { overdraftAllowed: boolean };

export async function saveSettings(
  { csrfToken }: Session,
  guildId: string,
  body: GuildSettings,
): Promise<void> {
  await request('GuildSettingsReply', guildPath(guildId, ['settings']), { method: 'PUT', body, csrfToken });
}

async function fetchGuilds(): Promise<Guild[]> {
  const { data } = await request('GuildsReply', '/guilds');
  return data.sort(byReadinessThenName);
}

// The guilds one can work with come first.
function byReadinessThenName(one: Guild, other: Guild): number {
  const rank = (guild: Guild) => ['ready', 'no-plan', 'unknown'].indexOf(guild.state);
  return rank(one) - rank(other) || one.name.localeCompare(other.name);
}
