import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

/** People, records, transactions and keys of a guild, at most eight of each. */
export type SearchResult = Reply<'SearchReply'>['data'];

/**
 * The search of all pages: by any part of a name or an id. Without a text it returns the members with the largest
 * balances.
 */
export function searchQuery(guildId: string, text: string) {
  const query = text.trim();
  return queryOptions({
    queryKey: ['guilds', guildId, 'search', query],
    queryFn: async () => (await request('SearchReply', guildPath(guildId, ['search'], { query }))).data,
    placeholderData: keepPreviousData,
  });
}
