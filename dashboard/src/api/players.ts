import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

/** The balance is a decimal text, as all balances and sums. Without a verified name, `username` is null. */
export type Player = Reply<'PlayersReply'>['data'][number];
export type PlayerDetails = Reply<'PlayerReply'>['data'];
export type BalancePoint = PlayerDetails['history'][number];

const foundMax = 8;

/** Players whose id or verified name begins with the text; with none, those with the largest balances. */
export function playersQuery(guildId: string, text: string) {
  const query = text.trim();
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'players', query],
    queryFn: async () => {
      const path = guildPath(guildId, ['players'], { query, limit: foundMax });
      return (await request('PlayersReply', path)).data;
    },
    placeholderData: keepPreviousData,
  });
}

/** One player. Without an account there is nothing in it, which is no error. */
export function playerQuery(guildId: string, playerId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'player', playerId],
    queryFn: async () => (await request('PlayerReply', guildPath(guildId, ['players', playerId]))).data,
    refetchOnWindowFocus: true,
  });
}

/** Sets how far down withdrawals may take an account; null leaves it to the guild. */
export async function putFloor(
  session: Session,
  guildId: string,
  { playerId, floor }: { playerId: string; floor: number | null },
): Promise<void> {
  const path = guildPath(guildId, ['players', playerId, 'floor']);
  await request('FloorReply', path, { method: 'PUT', body: { floor }, csrfToken: session.csrfToken });
}
