import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

/** Sums are decimal texts; what went out has no sign. */
export type Overview = Reply<'OverviewReply'>['data'];
/** A day on which something happened. */
export type DayTurnover = Overview['days'][number];
/** A source of null means all others together. */
export type SourceTurnover = Overview['sources'][number];
export type Figures = Overview['figures'];
/** Something that somebody should look at. */
export type Unusual = Overview['unusual'][number];
export type TopPlayers = Reply<'TopPlayersReply'>['data'];

/** A figure of the range, and of the period right before. */
export interface Compared<Value> {
  current: Value;
  previous: Value;
}

export function overviewQuery(guildId: string, range: { since: string; until: string }) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'overview', range],
    queryFn: async () => (await request('OverviewReply', guildPath(guildId, ['overview'], range))).data,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** Who earned and spent most in these days. It takes longer than the rest. */
export function topPlayersQuery(guildId: string, range: { since: string; until: string }) {
  return queryOptions({
    // Not below the overview: adding up many transactions is not repeated with every post.
    queryKey: ['guilds', guildId, 'top-players', range],
    queryFn: async () =>
      (await request('TopPlayersReply', guildPath(guildId, ['overview', 'players'], range))).data,
    placeholderData: keepPreviousData,
  });
}
