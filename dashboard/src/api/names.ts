import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import { request } from './request.ts';

/** The accounts whose names a page shows. */
export interface NamedIds {
  playerIds?: readonly string[];
  chatIds?: readonly string[];
}

const askedMax = 100;
const freshMs = 60_000;

/** The verified people behind the accounts of a page, in one request. */
export function namesQuery(guildId: string, ids: NamedIds) {
  const search = namesSearch(ids);
  return queryOptions({
    queryKey: ['guilds', guildId, 'people', 'names', search],
    queryFn: async () => (await request('NamesReply', `${guildPath(guildId, ['names'])}?${search}`)).data,
    enabled: search !== '',
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  });
}

/** Lists are separated by commas, so each id is encoded on its own. */
export function namesSearch({ playerIds = [], chatIds = [] }: NamedIds): string {
  return Object.entries({ playerIds, chatIds })
    .map(([name, ids]) => [name, [...new Set(ids)].filter((id) => id !== '').sort()] as const)
    .filter(([, ids]) => ids.length > 0)
    .map(([name, ids]) => `${name}=${ids.slice(0, askedMax).map(encodeURIComponent).join(',')}`)
    .join('&');
}
