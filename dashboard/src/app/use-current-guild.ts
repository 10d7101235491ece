import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParams } from 'react-router';
import { type Guild, guildsQuery } from '../api/guilds.ts';

const storageKey = 'guildbook-last-guild';

interface CurrentGuild {
  guild: Guild | undefined;
  guilds: Guild[];
  isLoading: boolean;
}

/**
 * The guild in the address, or else the last one opened in this tab, so that a visit to the commands does not lose
 * it.
 */
export function useCurrentGuild(isSignedIn: boolean): CurrentGuild {
  const { guildId } = useParams();
  const { data: guilds = [], isLoading } = useQuery({ ...guildsQuery, enabled: isSignedIn });
  useEffect(() => {
    if (guildId !== undefined) remember(guildId);
  }, [guildId]);
  const wanted = guildId ?? recall();
  const guild = isSignedIn ? guilds.find((candidate) => candidate.guildId === wanted) : undefined;
  return { guild, guilds: isSignedIn ? guilds : [], isLoading };
}

function remember(guildId: string): void {
  try {
    window.sessionStorage.setItem(storageKey, guildId);
  } catch {
    // The browser refuses storage: the guild is then known only while it is in the address.
  }
}

function recall(): string | null {
  try {
    return window.sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
