import { queryOptions } from '@tanstack/react-query';
import { downloadAddress, guildPath } from './guild-path.ts';
import { namesSearch } from './names.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

export type Avatar = Reply<'AvatarsReply'>['data'][number];

/** An account of a person: on the chat platform or in the game. */
export interface Account {
  kind: 'chat' | 'player';
  id: string;
}

interface Wish extends Account {
  resolve: (avatar: Avatar | null) => void;
  reject: (error: unknown) => void;
}

type LoadAvatars = (guildId: string, accounts: readonly Account[]) => Promise<Avatar[]>;

/** The largest number of accounts of one kind in a request. */
const askedMax = 100;
/** Names that are drawn within this time are asked for together. */
const gatherMs = 20;
const freshMs = 10 * 60_000;

/** The start of the keys of these queries. It is not `guilds`: a change in a guild does not change pictures. */
export const avatarsKey = 'avatars';

/** The picture of a person; null without one. */
export function avatarQuery(guildId: string, account: Account) {
  return queryOptions({
    queryKey: [avatarsKey, guildId, account.kind, account.id],
    queryFn: () => findAvatar(guildId, account),
    staleTime: freshMs,
    // A picture is a decoration: without an answer the initials stay.
    retry: false,
    refetchInterval: false,
  });
}

export function avatarAddress(guildId: string, { chatId, version }: Avatar): string {
  return downloadAddress(guildId, ['avatars', chatId], { v: version });
}

export function guildIconAddress({ guildId, icon }: { guildId: string; icon: string | null }) {
  return icon === null ? undefined : downloadAddress(guildId, ['icon'], { v: icon });
}

export function ownAvatarAddress(version: string | null): string | undefined {
  return version === null
    ? undefined
    : `/dashboard/api/session/avatar?${new URLSearchParams({ v: version })}`;
}

const findAvatar = createAvatarFinder(async (guildId, accounts) => {
  const idsOf = (kind: Account['kind']) => accounts.filter((one) => one.kind === kind).map(({ id }) => id);
  const search = namesSearch({ playerIds: idsOf('player'), chatIds: idsOf('chat') });
  return (await request('AvatarsReply', `${guildPath(guildId, ['avatars'])}?${search}`)).data;
});

/** Asks for the pictures of all accounts that are wanted at about the same time in one request. */
export function createAvatarFinder(load: LoadAvatars) {
  const wishesOf = new Map<string, Wish[]>();

  async function fulfil(guildId: string, wishes: readonly Wish[]): Promise<void> {
    try {
      const avatars = await load(guildId, wishes);
      for (const { kind, id, resolve } of wishes) {
        const found = avatars.find(({ chatId, playerId }) => id === (kind === 'chat' ? chatId : playerId));
        resolve(found ?? null);
      }
    } catch (error) {
      for (const { reject } of wishes) reject(error);
    }
  }

  function fulfilAll(guildId: string): void {
    const wishes = wishesOf.get(guildId) ?? [];
    wishesOf.delete(guildId);
    for (let start = 0; start < wishes.length; start += askedMax) {
      void fulfil(guildId, wishes.slice(start, start + askedMax));
    }
  }

  return (guildId: string, account: Account): Promise<Avatar | null> =>
    new Promise((resolve, reject) => {
      const wishes = wishesOf.get(guildId) ?? [];
      if (wishes.length === 0) setTimeout(() => fulfilAll(guildId), gatherMs);
      wishesOf.set(guildId, [...wishes, { ...account, resolve, reject }]);
    });
}
