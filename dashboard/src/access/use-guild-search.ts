import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type SearchResult, searchQuery } from '../api/search.ts';

const pauseMs = 200;

export interface GuildSearch {
  /** Undefined until the first answer. */
  result: SearchResult | undefined;
  /** The result is the answer for this text, and not that for an earlier one. */
  isAnswered: boolean;
  isWaiting: boolean;
  isFailed: boolean;
}

/** The guild's people, records, transactions and keys for a text, asked for when the typing pauses. */
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
