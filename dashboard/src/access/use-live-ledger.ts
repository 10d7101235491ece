import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchLedger } from '../api/live-ledger.ts';

/** Minimum time between two refreshes under a steady stream of posts. A post is visible within a second. */
const restMs = 400;

/** Refreshes the money pages while one of them is open and visible. */
export function useLiveLedger(guildId: string, isWatched: boolean): void {
  const client = useQueryClient();
  useEffect(() => (isWatched ? followLedger(client, guildId) : undefined), [client, guildId, isWatched]);
}

function followLedger(client: QueryClient, guildId: string): () => void {
  /** The players whose money moved since the last refresh; null when it may be anybody's. */
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
    // A hidden page refreshes when it becomes visible again.
    if (document.visibilityState === 'hidden') return;
    news = playerIds === null || news === null ? null : news.union(new Set(playerIds));
    refresh();
  });
  return () => {
    hasStopped = true;
    stop();
  };
}

/** True when changes of these players' money affect the answer of a query. */
export function isAbout(queryKey: QueryKey, guildId: string, playerIds: ReadonlySet<string> | null): boolean {
  const [guilds, ofGuild, part, view, playerId] = queryKey;
  if (guilds !== 'guilds' || ofGuild !== guildId) return false;
  if (part === 'overview') return true;
  if (part !== 'ledger') return false;
  return view !== 'player' || playerIds === null || playerIds.has(String(playerId));
}
