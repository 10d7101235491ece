import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

/** Ids that exist in the guild, for use in examples; null where there is none yet. */
export type Samples = Reply<'SamplesReply'>['data'];

const staleAfterMs = 5 * 60_000;

export function samplesQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'samples'],
    queryFn: async () => (await request('SamplesReply', guildPath(guildId, ['samples']))).data,
    staleTime: staleAfterMs,
  });
}
