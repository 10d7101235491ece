import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { refusalJumpsPath } from './first-paths.ts';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

type RequestPage = Reply<'GuildRequestsReply'>['data'];

/** A request of a key, as the log has it. */
export type LoggedRequest = RequestPage['requests'][number];

/** The number of requests of a key in one hour, on one route, with one result. */
export type KeyHour = Reply<'GuildHoursReply'>['data']['hours'][number];

/** A key whose requests are refused much more often than before. */
export type RefusalJump = Reply<'RefusalJumpsReply'>['data']['jumps'][number];

export interface RequestFilters {
  /** '' for every key. */
  keyId: string;
  /** '' for all requests that are kept. */
  refused: 'true' | '';
  route: string;
  code: string;
  requestId: string;
}

/** New requests are written every two seconds. */
const refreshMs = 2_000;
const countsRefreshMs = 10_000;
const pageSize = 50;

export function requestsQuery(guildId: string, filters: RequestFilters, cursor: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'requests', filters, cursor],
    queryFn: async (): Promise<RequestPage> => {
      const asked = Object.entries({ ...filters, cursor }).filter(([, value]) => value !== '');
      const query = new URLSearchParams([...asked, ['limit', String(pageSize)]]);
      return (await request('GuildRequestsReply', `${guildPath(guildId, ['requests'])}?${query}`)).data;
    },
    // The first page is live. Older ones do not change.
    ...(cursor === '' && { refetchInterval: refreshMs }),
    placeholderData: keepPreviousData,
  });
}

/** The counts of all keys of the guild for the last days. */
export function requestHoursQuery(guildId: string, days: number) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'request-hours', days],
    queryFn: async (): Promise<Reply<'GuildHoursReply'>['data']> => {
      const path = `${guildPath(guildId, ['requests', 'hours'])}?days=${days}`;
      return (await request('GuildHoursReply', path)).data;
    },
    refetchInterval: countsRefreshMs,
    placeholderData: keepPreviousData,
  });
}

export function refusalJumpsQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'refusal-jumps'],
    queryFn: async (): Promise<RefusalJump[]> =>
      (await request('RefusalJumpsReply', refusalJumpsPath(guildId))).data.jumps,
  });
}

/** Keeps all requests of a key for some hours; 0 keeps only the refused ones. */
export async function keepAllRequests(
  session: Session,
  guildId: string,
  { keyId, hours }: { keyId: string; hours: number },
): Promise<void> {
  const path = guildPath(guildId, ['keys', keyId]);
  const { csrfToken } = session;
  await request('KeyChangedReply', path, { method: 'PUT', body: { keepAllHours: hours }, csrfToken });
}
