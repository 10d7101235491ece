import { queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import { readOptionalText, readRecord } from './read.ts';
import { request } from './request.ts';

/** Ids that exist in the guild, to fill examples with; null where there is none yet. */
export interface Samples {
  playerId: string | null;
  dischargeId: string | null;
  transferId: string | null;
  username: string | null;
}

const staleAfterMs = 5 * 60_000;

export function samplesQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'samples'],
    queryFn: () => fetchSamples(guildId),
    staleTime: staleAfterMs,
  });
}

async function fetchSamples(guildId: string): Promise<Samples> {
  const data = readRecord((await request(guildPath(guildId, ['samples']))).data);
  return {
    playerId: readOptionalText(data.playerId),
    dischargeId: readOptionalText(data.dischargeId),
    transferId: readOptionalText(data.transferId),
    username: readOptionalText(data.username),
  };
}
