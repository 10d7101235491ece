import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

type MembersReply = Reply<'MembersReply'>['data'];

/** A player of the guild, with the verified person if there is one. */
export type Member = MembersReply['members'][number];
export type Profile = Reply<'ProfileReply'>['data'];

const pageSize = 50;

/** A page of members after the cursor, which is empty for the first page. */
export function membersQuery(guildId: string, { query, cursor }: { query: string; cursor: string }) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'people', 'list', query, cursor],
    queryFn: async () => {
      const path = guildPath(guildId, ['people'], { query, cursor, limit: pageSize });
      return (await request('MembersReply', path)).data;
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function profileQuery(guildId: string, playerId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'people', 'one', playerId],
    queryFn: async () => (await request('ProfileReply', guildPath(guildId, ['people', playerId]))).data,
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
