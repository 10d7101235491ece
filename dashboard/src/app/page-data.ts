import type { QueryClient } from '@tanstack/react-query';
import { may } from '../access/guild-texts.ts';
import { lastChangesQuery } from '../api/audit.ts';
import { guildsQuery } from '../api/guilds.ts';
import { keysQuery } from '../api/keys.ts';
import { profileQuery } from '../api/members.ts';
import { overviewQuery, topPlayersQuery } from '../api/overview.ts';
import { playerActivityQuery, playerQuery } from '../api/players.ts';
import { guildTransactionsQuery, playerTransactionsQuery } from '../api/transactions.ts';
import { readFilters } from '../components/search-filters.ts';
import { chooseCalendar } from '../components/time-zone.ts';
import { guildFilters, guildListingOf, playerFilters, playerListingOf } from '../ledger/ledger-filters.ts';
import { overviewFilters } from '../overview/overview-filters.ts';
import { chooseDays } from '../overview/range.ts';
import type { GuildPlace } from './guild-place.ts';
import { knownCalendar } from './known-calendars.ts';

const openRange = { since: '', until: '' };

/**
 * Requests the data of the pages that most people start with. The other pages request theirs when they are rendered.
 */
export function loadPageData(client: QueryClient, place: GuildPlace, search: URLSearchParams) {
  const { guildId, page, id } = place;
  if (page === 'overview') {
    chooseCalendar(knownCalendar(guildId));
    const { since, until } = chooseDays(readFilters(overviewFilters, search), Date.now());
    const days = { since, until };
    return Promise.all([
      client.prefetchQuery(overviewQuery(guildId, days)),
      client.prefetchQuery(topPlayersQuery(guildId, days)),
      client.prefetchQuery(lastChangesQuery(guildId)),
      loadKeys(client, guildId),
    ]);
  }
  // Days in the address are days of the guild's calendar, which is not known before the guilds are loaded.
  if (['range', 'since', 'until'].some((name) => search.has(name))) return undefined;
  if (page === 'person') {
    const listing = playerListingOf(readFilters(playerFilters, search), openRange);
    return Promise.all([
      client.prefetchQuery(playerQuery(guildId, id)),
      client.prefetchQuery(profileQuery(guildId, id)),
      client.prefetchQuery(playerActivityQuery(guildId, id, openRange)),
      client.prefetchQuery(playerTransactionsQuery(guildId, id, listing)),
    ]);
  }
  if (page !== 'ledger') return undefined;
  const listing = guildListingOf(readFilters(guildFilters, search), openRange);
  return client.prefetchQuery(guildTransactionsQuery(guildId, listing));
}

/** Only some roles may see the keys; the list of guilds has the rights. */
async function loadKeys(client: QueryClient, guildId: string): Promise<void> {
  const guilds = await client.fetchQuery(guildsQuery);
  const guild = guilds.find((one) => one.guildId === guildId);
  if (guild && may(guild, 'keys.read')) await client.prefetchQuery(keysQuery(guildId));
}
