import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type SearchResult, searchQuery } from '../api/search.ts';

const pauseMs = 200;

export interface GuildSearch {
  /** Undefined before the first answer. */
  result: SearchResult | undefined;
  /** False while the result still belongs to an earlier text. */
  isAnswered: boolean;
  isWaiting: boolean;
  isFailed: boolean;
}

/** Searches people, records, transactions and keys of the guild. Sends the request when typing pauses. */
export function useGuildSearch(guildId: string, text: string, isWanted: boolean): GuildSearch {
  const wanted = text.trim();
  const [settled] = useDebouncedValue(wanted, pauseMs);
  const isSettled = isWanted && settled === wanted;
  const query = useQuery({ ...searchQuery(guildId, settled), enabled: isSettled });
  const isAnswered = isSettled && query.isSuccess && !query.isPlaceholderData;
  const isFailed = isSettled && query.isError;
  return {
    result: isWanted ? query.data : undefined,
    isAnswered,
    isWaiting: isWanted && !isAnswered && !isFailed,
    isFailed,
  };
}
