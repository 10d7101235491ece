import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { guildsQuery } from '../api/guilds.ts';
import { watchGuild } from '../api/live-guild.ts';

/** Minimum time between two refreshes under a steady stream of posts. A post is visible within a second. */
const restMs = 400;
/** The same for other changes, which are rarer: an import by a bot may make thousands. */
const changesRestMs = 2_000;

/** Refreshes the pages of a guild while one of them is open and visible: all of them, or those of the person's own account. */
export function useLiveGuild(guildId: string, watched: 'guild' | 'own' | undefined): void {
  const client = useQueryClient();
  useEffect(
    () => (watched === undefined ? undefined : followGuild(client, { guildId, isOwn: watched === 'own' })),
    [client, guildId, watched],
  );
}

function followGuild(client: QueryClient, watched: { guildId: string; isOwn: boolean }): () => void {
  const { guildId } = watched;
  /** The players whose money moved since the last refresh; null when it may be anybody's. */
  let news: Set<string> | null = new Set();
  const money = createRefresher(restMs, async () => {
    if (news !== null && news.size === 0) return false;
    const told = news;
    news = new Set();
    await client.invalidateQueries({ predicate: ({ queryKey }) => isAbout(queryKey, guildId, told) });
    return true;
  });
  let hasChanges = false;
  const others = createRefresher(changesRestMs, async () => {
    if (!hasChanges) return false;
    hasChanges = false;
    await client.invalidateQueries({ predicate: ({ queryKey }) => canChange(queryKey, guildId) });
    return true;
  });
  // A hidden page refreshes when it becomes visible again.
  const isHidden = () => document.visibilityState === 'hidden';
  const stop = watchGuild(watched, {
    onMoney(playerIds) {
      if (isHidden()) return;
      news = playerIds === null || news === null ? null : news.union(new Set(playerIds));
      money.run();
    },
    onChanges() {
      if (isHidden()) return;
      hasChanges = true;
      others.run();
    },
  });
  return () => {
    money.stop();
    others.stop();
    stop();
  };
}

/** Repeats a refresh, with a pause after each, until it returns false: there was nothing to do. */
function createRefresher(pauseMs: number, refresh: () => Promise<boolean>) {
  let isAtWork = false;
  let hasStopped = false;
  return {
    async run(): Promise<void> {
      if (isAtWork) return;
      isAtWork = true;
      while (!hasStopped && (await refresh())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      isAtWork = false;
    },
    stop() {
      hasStopped = true;
    },
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

/** True when a change that is not a transaction can affect the answer: the list of guilds, and all of a guild but its money. */
export function canChange(queryKey: QueryKey, guildId: string): boolean {
  const [guilds, ofGuild, part] = queryKey;
  if (guilds !== guildsQuery.queryKey[0]) return false;
  if (ofGuild === undefined) return true;
  return ofGuild === guildId && part !== 'overview' && part !== 'top-players' && part !== 'ledger';
}
