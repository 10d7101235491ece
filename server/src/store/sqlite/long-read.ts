import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './connection.ts';

/** Above so many rows to visit, a read costs more than handing it to another thread does. */
export const ROWS_HERE_MAX = 2_000;

/** Whether a guild has more than that in one of the indexes, of which no more than that is looked at. */
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
