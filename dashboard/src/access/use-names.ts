import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type NamedIds, namesQuery } from '../api/names.ts';

export interface Names {
  /** The verified name of a game account; undefined when nobody is verified with it, or it is not loaded yet. */
  ofPlayer: (playerId: string) => string | undefined;
  ofChat: (chatId: string) => string | undefined;
  /** True until the names are known for the first time. */
  isLoading: boolean;
}

/** The names of the accounts on a page. */
export function useNames(guildId: string, ids: NamedIds): Names {
  const { data, isLoading } = useQuery(namesQuery(guildId, ids));
  return useMemo(() => {
    const players = new Map(data?.map(({ playerId, username }) => [playerId, username]));
    const chats = new Map(data?.map(({ chatId, username }) => [chatId, username]));
    return {
      ofPlayer: (playerId) => players.get(playerId),
      ofChat: (chatId) => chats.get(chatId),
      isLoading,
    };
  }, [data, isLoading]);
}
