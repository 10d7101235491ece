import { type AccountRef, accountParts, ownAccount } from './account-ref.ts';
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

export function keysPath(guildId: string): string {
  return guildPath(guildId, ['keys']);
}

export function refusalJumpsPath(guildId: string): string {
  return guildPath(guildId, ['requests', 'jumps']);
}

export function webhooksPath(guildId: string): string {
  return guildPath(guildId, ['webhooks']);
}

export function guildTransactionsPath(guildId: string, listing: GuildListing): string {
  return guildPath(guildId, ['transactions'], { ...listing });
}

export function playerPath(guildId: string, playerId: string): string {
  return guildPath(guildId, ['players', playerId]);
}

export function ownAccountPath(guildId: string): string {
  return guildPath(guildId, accountParts(ownAccount));
}

export function activityPath(guildId: string, account: AccountRef, times: Times): string {
  return guildPath(guildId, [...accountParts(account), 'activity'], { ...times });
}

export function accountTransactionsPath(
  guildId: string,
  account: AccountRef,
  listing: PlayerListing,
): string {
  return guildPath(guildId, [...accountParts(account), 'transactions'], { ...listing });
}

export function profilePath(guildId: string, playerId: string): string {
  return guildPath(guildId, ['people', playerId]);
}
