import type { DatabaseSync } from 'node:sqlite';
import type { Discharge, Transfer } from '../../domain/model.ts';
import { prepare } from './connection.ts';

/** How records lie in their tables. The guild's id is in the guild's row, and times of transfers are numbers. */

export type TransferRow = Omit<Transfer, 'date'> & { dateMs: number };

export const DISCHARGES = `SELECT discharge_id AS id, guild_id AS guildId, chat_id AS chatId, player_id AS playerId,
  d.name, reason, date, type, origin AS "from", signed FROM discharge d JOIN guild g USING (guild_no)`;
export const TRANSFERS = `SELECT transfer_id AS id, guild_id AS guildId, player_id AS playerId, t.name, date AS dateMs,
  origin AS "from", target AS "to", signed FROM transfer t JOIN guild g USING (guild_no)`;

export function prepareFindDischarge(db: DatabaseSync) {
  const find = prepare<Discharge>(db, `${DISCHARGES} WHERE guild_no = ? AND discharge_id = ?`);
  return (guildNo: number, id: string): Discharge | undefined => find.get(guildNo, id);
}

export function prepareFindTransfer(db: DatabaseSync) {
  const find = prepare<TransferRow>(db, `${TRANSFERS} WHERE guild_no = ? AND transfer_id = ?`);
  return (guildNo: number, id: string): Transfer | undefined => {
    const row = find.get(guildNo, id);
    return row && toTransfer(row);
  };
}

export function toTransfer({ dateMs, ...row }: TransferRow): Transfer {
  const { id, guildId, playerId, name, from, to, signed } = row;
  return { id, guildId, playerId, name, date: new Date(dateMs).toISOString(), from, to, signed };
}
