import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type AccountRef, accountKey, ownAccount } from './account-ref.ts';
import { activityPath, ownAccountPath, playerPath } from './first-paths.ts';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';
import type { Times } from './transaction-listing.ts';
import { type Transaction, toTransaction } from './transactions.ts';

/** Balances and sums are decimal texts. */
export type Player = Reply<'PlayersReply'>['data'][number];
/** With `isOwn` the account of the person themself, as they see it without a role. */
export type PlayerDetails = Reply<'PlayerReply'>['data'] & ({ isOwn?: false } | { isOwn: true });
export type OwnAccount = Reply<'OwnAccountReply'>['data'] & { isOwn: true };
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
    queryKey: accountKey(guildId, { playerId }),
    queryFn: async (): Promise<PlayerDetails> =>
      (await request('PlayerReply', playerPath(guildId, playerId))).data,
    refetchOnWindowFocus: true,
  });
}

/** The account of the person themself, with their verification. */
export function ownAccountQuery(guildId: string) {
  return queryOptions({
    queryKey: accountKey(guildId, ownAccount),
    queryFn: async (): Promise<OwnAccount> => {
      const { data } = await request('OwnAccountReply', ownAccountPath(guildId));
      return { ...data, isOwn: true };
    },
    refetchOnWindowFocus: true,
  });
}

/** The sums of the account between two moments; '' is an open end. */
export function activityQuery(guildId: string, account: AccountRef, times: Times) {
  return queryOptions({
    queryKey: [...accountKey(guildId, account), 'activity', times],
    queryFn: async (): Promise<PlayerActivity> => {
      const { data } = await request('PlayerActivityReply', activityPath(guildId, account, times));
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
