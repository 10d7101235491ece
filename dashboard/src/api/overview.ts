import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Days, overviewPath, topPlayersPath } from './first-paths.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

/** Sums are decimal texts; withdrawals have no sign. */
export type Overview = Reply<'OverviewReply'>['data'];
/** A day with transactions. */
export type DayTurnover = Overview['days'][number];
/** A source of null is the sum of all others. */
export type SourceTurnover = Overview['sources'][number];
export type Figures = Overview['figures'];
/** A finding that a person should look at. */
export type Unusual = Overview['unusual'][number];
export type TopPlayers = Reply<'TopPlayersReply'>['data'];

/** A figure of the range and of the period right before it. */
export interface Compared<Value> {
  current: Value;
  previous: Value;
}

export function overviewQuery(guildId: string, range: Days) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'overview', range],
    queryFn: async () => (await request('OverviewReply', overviewPath(guildId, range))).data,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** The players who earned and spent most in these days. Slower than the overview. */
export function topPlayersQuery(guildId: string, range: Days) {
  return queryOptions({
    // Not below the overview's key, so that a new post does not fetch these slow sums again.
    queryKey: ['guilds', guildId, 'top-players', range],
    queryFn: async () => (await request('TopPlayersReply', topPlayersPath(guildId, range))).data,
    placeholderData: keepPreviousData,
  });
}
