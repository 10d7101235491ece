import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { playerActivityPath, playerPath } from './first-paths.ts';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';
import type { Times } from './transaction-listing.ts';
import { type Transaction, toTransaction } from './transactions.ts';

/** Balances and sums are decimal texts. */
export type Player = Reply<'PlayersReply'>['data'][number];
export type PlayerDetails = Reply<'PlayerReply'>['data'];
type WireActivity = Reply<'PlayerActivityReply'>['data'];
export type BalanceSpan = WireActivity['history'][number];

/** The sums of an account in a range of time. */
export interface PlayerActivity extends Omit<WireActivity, 'moves'> {
  /** The largest deposits and withdrawals. */
  moves: Transaction[];
}

/** One player. A player without an account has a balance of 0 and no history, which is no error. */
export function playerQuery(guildId: string, playerId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'player', playerId],
    queryFn: async () => (await request('PlayerReply', playerPath(guildId, playerId))).data,
    refetchOnWindowFocus: true,
  });
}

/** The sums of the account between two moments; '' is an open end. */
export function playerActivityQuery(guildId: string, playerId: string, times: Times) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'player', playerId, 'activity', times],
    queryFn: async (): Promise<PlayerActivity> => {
      const { data } = await request('PlayerActivityReply', playerActivityPath(guildId, playerId, times));
      return { ...data, moves: data.moves.map(toTransaction) };
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** Sets the lowest balance to which withdrawals may take an account; null applies the guild's rule. */
export async function putFloor(
  session: Session,
  guildId: string,
  { playerId, floor }: { playerId: string; floor: number | null },
): Promise<void> {
  const path = guildPath(guildId, ['players', playerId, 'floor']);
  await request('FloorReply', path, { method: 'PUT', body: { floor }, csrfToken: session.csrfToken });
}
