import { queryOptions } from '@tanstack/react-query';
import { downloadAddress, guildPath } from './guild-path.ts';
import type { Guild } from './guilds.ts';
import { namesSearch } from './names.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

export type Avatar = Reply<'AvatarsReply'>['data'][number];

/** An account of a person: on the chat platform or in the game. */
export interface Account {
  kind: 'chat' | 'player';
  id: string;
}

/** Accounts that are asked for together. */
interface Batch {
  accounts: Account[];
  answer: Promise<Avatar[]>;
}

type LoadAvatars = (guildId: string, accounts: readonly Account[]) => Promise<Avatar[]>;

/** The largest number of accounts in a request. */
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

/** Members without a role have an address of their own for it. */
export function guildIconAddress({ guildId, icon, role }: Pick<Guild, 'guildId' | 'icon' | 'role'>) {
  const parts = role === null ? ['me', 'icon'] : ['icon'];
  return icon === null ? undefined : downloadAddress(guildId, parts, { v: icon });
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
  const open = new Map<string, Batch>();

  function openBatch(guildId: string): Batch {
    const accounts: Account[] = [];
    const answer = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(() => {
      if (open.get(guildId) === batch) open.delete(guildId);
      return load(guildId, accounts);
    });
    const batch = { accounts, answer };
    open.set(guildId, batch);
    return batch;
  }

  return async (guildId: string, account: Account): Promise<Avatar | null> => {
    const present = open.get(guildId);
    const batch = present && present.accounts.length < askedMax ? present : openBatch(guildId);
    batch.accounts.push(account);
    const field = account.kind === 'chat' ? 'chatId' : 'playerId';
    return (await batch.answer).find((avatar) => avatar[field] === account.id) ?? null;
  };
}
