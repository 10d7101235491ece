import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchLedger } from '../api/live-ledger.ts';

/** Under a steady stream of posts the pages rest this long before they ask again, so that a post shows within a second. */
const restMs = 400;

/** Keeps what the money pages show up to date while one of them is open and seen. */
export function useLiveLedger(guildId: string, isWatched: boolean): void {
  const client = useQueryClient();
  useEffect(() => (isWatched ? followLedger(client, guildId) : undefined), [client, guildId, isWatched]);
}

function followLedger(client: QueryClient, guildId: string): () => void {
  /** Whose money moved since the last refresh; null is everybody's. */
  let news: Set<string> | null = new Set();
  let isAtWork = false;
  let hasStopped = false;

  async function refresh(): Promise<void> {
    if (isAtWork) return;
    isAtWork = true;
    while (!hasStopped && (news === null || news.size > 0)) {
      const told = news;
      news = new Set();
      await client.invalidateQueries({
        predicate: ({ queryKey }) => isAbout(queryKey, guildId, told),
      });
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    isAtWork = false;
  }

  const stop = watchLedger(guildId, (playerIds) => {
    // A page that nobody sees asks when it is seen again.
    if (document.visibilityState === 'hidden') return;
    news = playerIds === null || news === null ? null : news.union(new Set(playerIds));
    refresh();
  });
  return () => {
    hasStopped = true;
    stop();
  };
}

/** Whether news of these players change what a query answered. */
export function isAbout(queryKey: QueryKey, guildId: string, playerIds: ReadonlySet<string> | null): boolean {
  const [guilds, ofGuild, part, view, playerId] = queryKey;
  if (guilds !== 'guilds' || ofGuild !== guildId) return false;
  if (part === 'overview') return true;
  if (part !== 'ledger') return false;
  return view !== 'player' || playerIds === null || playerIds.has(String(playerId));
}
