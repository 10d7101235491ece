import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './connection.ts';

/** A read that visits more rows costs more than handing it to another thread. */
export const ROWS_HERE_MAX = 2_000;

/** True when a guild has more rows in the index than ROWS_HERE_MAX. Visits no more than that. */
export function prepareHasMany(
  db: DatabaseSync,
  place: { table: string; index: string },
): (guildNo: number) => boolean {
  const find = prepare<{ found: number }>(
    db,
    `SELECT 1 AS found FROM ${place.table} INDEXED BY ${place.index} WHERE guild_no = ?
     LIMIT 1 OFFSET ${ROWS_HERE_MAX}`,
  );
  return (guildNo) => find.get(guildNo) !== undefined;
}
