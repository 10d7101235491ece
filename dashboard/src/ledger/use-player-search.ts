import { useGuildSearch } from '../access/use-guild-search.ts';
import type { SearchResult } from '../api/search.ts';

type Player = SearchResult['members'][number];

export interface PlayerSearchResult {
  players: Player[];
  /** The players are the answer for this text, and not what still fits of an earlier one. */
  isAnswered: boolean;
  isWaiting: boolean;
  isFailed: boolean;
}

/**
 * Players with a part of whose id or name the text fits. Until the answer is there, those of the last answer that fit the
 * text stay in view; they need not be the best ones.
 */
export function usePlayerSearch(guildId: string, text: string, isWanted: boolean): PlayerSearchResult {
  const { result, isAnswered, ...progress } = useGuildSearch(guildId, text, isWanted);
  const known = result?.members ?? [];
  const players = isAnswered ? known : known.filter((player) => fits(player, text.trim().toLowerCase()));
  return { players, isAnswered, ...progress };
}

function fits({ playerId, name, chatId }: Player, wanted: string): boolean {
  return [playerId, name ?? '', chatId ?? ''].some((text) => text.toLowerCase().includes(wanted));
}
