import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Player, playersQuery } from '../api/players.ts';

const pauseMs = 200;

export interface PlayerSearchResult {
  players: Player[];
  /** The players are the answer for this text, and not what still fits of an earlier one. */
  isAnswered: boolean;
  isWaiting: boolean;
  isFailed: boolean;
}

/**
 * Players whose id or verified name begins with the text, asked for when the typing pauses. Until the answer is there,
 * those of the last answer that fit the text stay in view; they need not be the best ones.
 */
export function usePlayerSearch(guildId: string, text: string, isWanted: boolean): PlayerSearchResult {
  const wanted = text.trim();
  const [settled] = useDebouncedValue(wanted, pauseMs);
  const isSettled = isWanted && settled === wanted;
  const query = useQuery({ ...playersQuery(guildId, settled), enabled: isSettled });
  const isAnswered = isSettled && query.isSuccess && !query.isPlaceholderData;
  const isFailed = isSettled && query.isError;
  const known = isWanted ? (query.data ?? []) : [];
  return {
    players: isAnswered ? known : known.filter((player) => beginsWith(player, wanted)),
    isAnswered,
    isWaiting: isWanted && !isAnswered && !isFailed,
    isFailed,
  };
}

function beginsWith({ playerId, username }: Player, wanted: string): boolean {
  return [playerId, username ?? ''].some((name) => name.toLowerCase().startsWith(wanted.toLowerCase()));
}
