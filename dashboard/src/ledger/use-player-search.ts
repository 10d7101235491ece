import { useGuildSearch } from '../access/use-guild-search.ts';
import type { SearchResult } from '../api/search.ts';

type Player = SearchResult['members'][number];

export interface PlayerSearchResult {
  players: Player[];
  /** False while the players are still those of an earlier answer. */
  isAnswered: boolean;
  isWaiting: boolean;
  isFailed: boolean;
}

/**
 * Players whose id or name contains the text. Until the answer arrives, those of the last answer that match the text
 * stay visible; they need not be the best matches.
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
