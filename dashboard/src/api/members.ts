import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readEntry } from './audit.ts';
import { profilePath } from './first-paths.ts';
import { downloadAddress, guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

type MembersReply = Reply<'MembersReply'>['data'];

/** A player of the guild, with the verified person if there is one. */
export type Member = MembersReply['members'][number];
export type Profile = NonNullable<Reply<'ProfileReply'>['data']>;

export const memberSortColumns = ['balance', 'name', 'transactions'] as const;
export type MemberSortColumn = (typeof memberSortColumns)[number];
export const memberStates = ['verified', 'unverified', 'overdrawn'] as const;

/** The filters and the order of the list. '' is no filter. */
export interface MemberListing {
  query: string;
  state: (typeof memberStates)[number] | '';
  sortBy: MemberSortColumn;
  sortOrder: 'asc' | 'desc';
}

const pageSize = 50;

/** A page of members after the cursor, which is empty for the first page. */
export function membersQuery(guildId: string, listing: MemberListing & { cursor: string }) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'people', 'list', listing],
    queryFn: async () => {
      const path = guildPath(guildId, ['people'], { ...listing, limit: pageSize });
      return (await request('MembersReply', path)).data;
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function membersExportAddress(guildId: string, listing: MemberListing): string {
  return downloadAddress(guildId, ['people.csv'], { ...listing });
}

/** Null when the guild has neither an account nor a record of the player: that is an answer, not an error. */
export function profileQuery(guildId: string, playerId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'people', 'one', playerId],
    queryFn: async () => (await request('ProfileReply', profilePath(guildId, playerId))).data,
    refetchOnWindowFocus: true,
  });
}

/** The newest changes of what belongs to the person. */
export function personHistoryQuery(guildId: string, playerId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'people', 'history', playerId],
    queryFn: async () => {
      const path = guildPath(guildId, ['people', playerId, 'history']);
      return (await request('PersonHistoryReply', path)).data.entries.map(readEntry);
    },
    refetchOnWindowFocus: true,
  });
}

interface Target {
  session: Session;
  guildId: string;
  playerId: string;
}

/** Verifies a player's chat account. */
export async function linkMember(
  { session, guildId, playerId }: Target,
  body: { chatId: string; username: string },
): Promise<void> {
  const { csrfToken } = session;
  const path = guildPath(guildId, ['people', playerId, 'verification']);
  await request('LinkReply', path, { method: 'PUT', body, csrfToken });
}

export async function unlinkMember({ session, guildId, playerId }: Target): Promise<void> {
  const { csrfToken } = session;
  const path = guildPath(guildId, ['people', playerId, 'verification']);
  await request('DoneReply', path, { method: 'DELETE', csrfToken });
}

export interface MemberLink {
  playerId: string;
  chatId: string;
  username: string;
}

/** Verifies many members in one commit and returns what happened to each. With `check` nothing is written. */
export async function importLinks(
  { csrfToken }: Session,
  guildId: string,
  verifications: MemberLink[],
  how: { overwrite?: boolean; check?: boolean },
) {
  const path = guildPath(guildId, ['verifications', 'import']);
  const body = { verifications, ...how };
  return (await request('LinkImportReply', path, { method: 'POST', body, csrfToken })).data.outcomes;
}
