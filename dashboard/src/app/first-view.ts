import { ownAccount } from '../api/account-ref.ts';
import {
  accountTransactionsPath,
  activityPath,
  guildsPath,
  guildTransactionsPath,
  keysPath,
  lastChangesPath,
  overviewPath,
  ownAccountPath,
  playerPath,
  profilePath,
  refusalJumpsPath,
  sessionPath,
  topPlayersPath,
  webhooksPath,
} from '../api/first-paths.ts';
import type { Guild } from '../api/guilds.ts';
import { readFilters } from '../components/search-filters.ts';
import { chooseCalendar } from '../components/time-zone.ts';
import { guildFilters, guildListingOf, playerFilters, playerListingOf } from '../ledger/ledger-filters.ts';
import { overviewFilters } from '../overview/overview-filters.ts';
import { chooseDays } from '../overview/range.ts';
import { type GuildPlace, guildPlaceOf } from './guild-place.ts';
import { knownCalendar } from './known-calendars.ts';

/** An open range of time. */
export const openRange = { since: '', until: '' };

/** The days of the overview at an address, in the calendar that the guild had last in this browser. */
export function overviewDays(guildId: string, search: URLSearchParams) {
  chooseCalendar(knownCalendar(guildId));
  const { since, until } = chooseDays(readFilters(overviewFilters, search), Date.now());
  return { since, until };
}

/** Days in the address are days of the guild's calendar, which is not known before the guilds are loaded. */
export function hasDays(search: URLSearchParams): boolean {
  return ['range', 'since', 'until'].some((name) => search.has(name));
}

export function firstPlayerListing(search: URLSearchParams) {
  return playerListingOf(readFilters(playerFilters, search), openRange);
}

export function firstGuildListing(search: URLSearchParams) {
  return guildListingOf(readFilters(guildFilters, search), openRange);
}

/** The requests that the page at this address needs first. Public pages need none. */
export function firstPaths({ pathname, search }: { pathname: string; search: string }): string[] {
  const place = guildPlaceOf(pathname);
  if (!place && pathname !== '/dashboard/') return [];
  const own = place ? pagePaths(place, new URLSearchParams(search)) : [];
  return [sessionPath, guildsPath, ...own];
}

/** The requests of the overview that need a right, which the list of guilds names. */
export function attentionPaths(guildId: string): readonly [right: Guild['may'][number], path: string][] {
  return [
    ['keys.read', keysPath(guildId)],
    ['keys.read', refusalJumpsPath(guildId)],
    ['webhooks.read', webhooksPath(guildId)],
  ];
}

function pagePaths({ guildId, page, id }: GuildPlace, search: URLSearchParams): string[] {
  if (page === 'overview') {
    const days = overviewDays(guildId, search);
    return [overviewPath(guildId, days), topPlayersPath(guildId, days), lastChangesPath(guildId)];
  }
  if (hasDays(search)) return [];
  if (page === 'person') {
    return [
      playerPath(guildId, id),
      profilePath(guildId, id),
      activityPath(guildId, { playerId: id }, openRange),
      accountTransactionsPath(guildId, { playerId: id }, firstPlayerListing(search)),
    ];
  }
  if (page === 'me') {
    return [
      ownAccountPath(guildId),
      activityPath(guildId, ownAccount, openRange),
      accountTransactionsPath(guildId, ownAccount, firstPlayerListing(search)),
    ];
  }
  return page === 'ledger' ? [guildTransactionsPath(guildId, firstGuildListing(search))] : [];
}
