import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

/** The settings of a guild's public page. */
export type Board = Reply<'BoardReply'>['data'];

export type BoardChange = Omit<Board, 'name' | 'movesMin'> & {
  name: string;
  movesMin: number | null;
};

export const boardQuery = (guildId: string) =>
  queryOptions({
    queryKey: ['guilds', guildId, 'board'],
    queryFn: async () => (await request('BoardReply', guildPath(guildId, ['board']))).data,
  });

export async function saveBoard({ csrfToken }: Session, guildId: string, body: BoardChange): Promise<void> {
  await request('BoardReply', guildPath(guildId, ['board']), { method: 'PUT', body, csrfToken });
}

export type BoardParts = Pick<
  BoardChange,
  'names' | 'leaderboard' | 'totals' | 'chart' | 'commands' | 'movesMin'
>;

/** The page as it would be with these settings. */
export function boardPreviewQuery(guildId: string, parts: BoardParts) {
  const search = previewSearch(parts);
  return queryOptions({
    queryKey: ['guilds', guildId, 'board', 'preview', search],
    queryFn: async () =>
      (await request('BoardPreviewReply', `${guildPath(guildId, ['board', 'preview'])}${search}`)).data,
    placeholderData: keepPreviousData,
  });
}

/** Parts are separated by commas. */
export function previewSearch({ movesMin, ...flags }: BoardParts): string {
  const on = Object.entries(flags)
    .filter(([, isOn]) => isOn)
    .map(([name]) => name)
    .sort();
  const values = [
    ...(on.length === 0 ? [] : [`parts=${on.join(',')}`]),
    ...(movesMin === null ? [] : [`movesMin=${movesMin}`]),
  ];
  return values.length === 0 ? '' : `?${values.join('&')}`;
}
