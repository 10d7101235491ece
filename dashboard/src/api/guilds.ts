import { queryOptions } from '@tanstack/react-query';
import { language } from '../texts/languages.ts';
import { guildsPath } from './first-paths.ts';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

/** `state` says whether keys can be created for it, or what is missing: the guild itself, or its plan. */
export type Guild = Reply<'GuildsReply'>['data'][number];

export const guildsQuery = queryOptions({
  queryKey: ['guilds'],
  queryFn: fetchGuilds,
  // Data requested before the pages were loaded is fresh enough for them.
  staleTime: 2_000,
  refetchOnWindowFocus: true,
});

export type MoneyDisplay = Guild['display'];
export type GuildSettings = MoneyDisplay & {
  overdraftAllowed: boolean;
  sealPublic: boolean;
  ownAccounts: boolean;
  timeZone: string;
  language: Guild['language'];
};

export async function saveSettings(
  { csrfToken }: Session,
  guildId: string,
  body: GuildSettings,
): Promise<void> {
  await request('GuildSettingsReply', guildPath(guildId, ['settings']), { method: 'PUT', body, csrfToken });
}

async function fetchGuilds(): Promise<Guild[]> {
  const { data } = await request('GuildsReply', guildsPath);
  return data.sort(byReadinessThenName);
}

// Guilds that are ready for use come first, then those in which the person has only an account.
function byReadinessThenName(one: Guild, other: Guild): number {
  const rank = ({ role, state }: Guild) =>
    role === null ? 1 : { ready: 0, 'no-plan': 2, unknown: 3 }[state];
  return rank(one) - rank(other) || one.name.localeCompare(other.name, language);
}
