import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

/** Past accounts are ordered newest first. */
export type Person = NonNullable<Reply<'PersonReply'>['data']>;
/** The guild's data about one account of a person. */
export type AccountFacts = Person['accounts'][number];

/** Null when nobody is verified under the query: that is an answer, not an error. */
export function personQuery(guildId: string, query: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'verifications', query],
    queryFn: async () =>
      (await request('PersonReply', guildPath(guildId, ['verifications'], { query }))).data,
    enabled: query !== '',
  });
}
