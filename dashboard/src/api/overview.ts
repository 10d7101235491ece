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
export type MonthFigures = Overview['month'];

/** A figure of this month so far, and of the same days of the month before. */
export interface Monthly<Value> {
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
