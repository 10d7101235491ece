import type { Guilds } from '../access/guilds.ts';
import { DomainError } from '../errors.ts';
import type { Actor } from '../model.ts';
import type { Clock, LedgerStore } from '../ports.ts';
import { unitsFromNumber } from './amount.ts';

/**
 * Sets the lowest balance to which withdrawals may take a player's account. Without a floor the guild's rule applies.
 */
export type SetFloor = (
  account: { guildId: string; playerId: string; floor: number | undefined },
  actor: Actor,
) => Promise<void>;

export function createSetFloor(parts: { store: LedgerStore; guilds: Guilds; clock: Clock }): SetFloor {
  const { store, guilds, clock } = parts;
  return async ({ guildId, playerId, floor }, actor) => {
    const floorUnits = floor === undefined ? undefined : unitsFromNumber('floor', floor);
    const { guildNo } = await guilds.find(guildId);
    const change = { actor, atMs: clock.nowMs() };
    if (!(await store.setFloor({ guildNo, guildId }, { playerId, floorUnits }, change))) {
      throw new DomainError('account_not_found', {
        detail: 'the player has no account yet: it opens with the first transaction',
      });
    }
  };
}
