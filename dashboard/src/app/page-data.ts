import type { QueryClient } from '@tanstack/react-query';
import { may } from '../access/guild-texts.ts';
import { ownAccount } from '../api/account-ref.ts';
import { lastChangesQuery } from '../api/audit.ts';
import { guildsQuery } from '../api/guilds.ts';
import { keysQuery } from '../api/keys.ts';
import { profileQuery } from '../api/members.ts';
import { overviewQuery, topPlayersQuery } from '../api/overview.ts';
import { activityQuery, ownAccountQuery, playerQuery } from '../api/players.ts';
import { accountTransactionsQuery, guildTransactionsQuery } from '../api/transactions.ts';
import { firstGuildListing, firstPlayerListing, hasDays, openRange, overviewDays } from './first-view.ts';
import type { GuildPlace } from './guild-place.ts';

/**
 * Requests the data of the pages that most people start with. The other pages request theirs when they are rendered.
 */
export function loadPageData(client: QueryClient, place: GuildPlace, search: URLSearchParams) {
  const { guildId, page, id } = place;
  if (page === 'overview') {
    const days = overviewDays(guildId, search);
    return Promise.all([
      client.prefetchQuery(overviewQuery(guildId, days)),
      client.prefetchQuery(topPlayersQuery(guildId, days)),
      client.prefetchQuery(lastChangesQuery(guildId)),
      loadKeys(client, guildId),
    ]);
  }
  if (hasDays(search)) return undefined;
  if (page === 'person') {
    return Promise.all([
      client.prefetchQuery(playerQuery(guildId, id)),
      client.prefetchQuery(profileQuery(guildId, id)),
      client.prefetchQuery(activityQuery(guildId, { playerId: id }, openRange)),
      client.prefetchQuery(accountTransactionsQuery(guildId, { playerId: id }, firstPlayerListing(search))),
    ]);
  }
  if (page === 'me') {
    return Promise.all([
      client.prefetchQuery(ownAccountQuery(guildId)),
      client.prefetchQuery(activityQuery(guildId, ownAccount, openRange)),
      client.prefetchQuery(accountTransactionsQuery(guildId, ownAccount, firstPlayerListing(search))),
    ]);
  }
  if (page !== 'ledger') return undefined;
  return client.prefetchQuery(guildTransactionsQuery(guildId, firstGuildListing(search)));
}

/** Only some roles may see the keys; the list of guilds has the rights. */
async function loadKeys(client: QueryClient, guildId: string): Promise<void> {
  const guilds = await client.fetchQuery(guildsQuery);
  const guild = guilds.find((one) => one.guildId === guildId);
  if (guild && may(guild, 'keys.read')) await client.prefetchQuery(keysQuery(guildId));
}
