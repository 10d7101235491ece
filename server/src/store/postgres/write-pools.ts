import type pg from 'pg';
import type { ManyRows } from '../sql.ts';
import type { Call, Statement } from './statement.ts';

/** Chooses the connections of a write. */
export interface WritePools {
  /** For writes that exclude all others. */
  common: pg.Pool;
  /** For one statement as a whole transaction. */
  ofCall(call: Call<unknown>): pg.Pool;
  /** For the transactions of a lane. */
  ofLane(lane: string): pg.Pool;
  /** Called before each statement. Throws when a server that it needs is down. */
  check(statement: Statement<unknown> | ManyRows): void;
}

/** The connections to a store on one server. */
export function onePool(pool: pg.Pool): WritePools {
  return { common: pool, ofCall: () => pool, ofLane: () => pool, check() {} };
}

const GUILD_LANE = /^(guild|batch|ledger|seal) (\d+)$/;

/**
 * The guild of a lane, and whether its transactions write rows of that guild only: batches, imports and seals do, while audited changes
 * also write keys and webhooks.
 */
export function guildOfLane(lane: string): { guildNo: number; isOfGuildOnly: boolean } | undefined {
  const found = GUILD_LANE.exec(lane);
  return found === null ? undefined : { guildNo: Number(found[2]), isOfGuildOnly: found[1] !== 'guild' };
}
