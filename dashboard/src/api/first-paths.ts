import { guildPath } from './guild-path.ts';
import type { GuildListing, PlayerListing, Times } from './transaction-listing.ts';

// The paths of the requests that a page can send before its libraries are loaded (see first-requests.ts). This file must not
// import them.

export const sessionPath = '/session';
export const guildsPath = '/guilds';

export interface Days {
  since: string;
  until: string;
}

export function overviewPath(guildId: string, days: Days): string {
  return guildPath(guildId, ['overview'], { ...days });
}

export function topPlayersPath(guildId: string, days: Days): string {
  return guildPath(guildId, ['overview', 'players'], { ...days });
}

/** The newest entries of the audit log. */
export function lastChangesPath(guildId: string): string {
  return guildPath(guildId, ['audit'], { limit: 4 });
}

export function guildTransactionsPath(guildId: string, listing: GuildListing): string {
  return guildPath(guildId, ['transactions'], { ...listing });
}

export function playerPath(guildId: string, playerId: string): string {
  return guildPath(guildId, ['players', playerId]);
}

export function playerActivityPath(guildId: string, playerId: string, times: Times): string {
  return guildPath(guildId, ['players', playerId, 'activity'], { ...times });
}

export function playerTransactionsPath(guildId: string, playerId: string, listing: PlayerListing): string {
  return guildPath(guildId, ['players', playerId, 'transactions'], { ...listing });
}

export function profilePath(guildId: string, playerId: string): string {
  return guildPath(guildId, ['people', playerId]);
}
