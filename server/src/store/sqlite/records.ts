import type { DatabaseSync } from 'node:sqlite';
import type { Discharge, Transfer } from '../../domain/model.ts';
import type { RecordStore } from '../../domain/ports.ts';
import { prepare } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

export type RecordWrites = ReturnType<typeof createRecordWrites>;

export function createRecordStore(db: DatabaseSync, read: Read, write: WriteOf<RecordWrites>): RecordStore {
  const findDischarge = prepare<Omit<Discharge, 'guildId'>>(
    db,
    `SELECT discharge_id AS id, chat_id AS chatId, player_id AS playerId, name, reason, date, type,
       origin AS "from", signed
     FROM discharge WHERE guild_no = ? AND discharge_id = ?`,
  );
  const findTransfer = prepare<Omit<Transfer, 'guildId' | 'date'> & { dateMs: number }>(
    db,
    `SELECT transfer_id AS id, player_id AS playerId, name, date AS dateMs, origin AS "from", target AS "to", signed
     FROM transfer WHERE guild_no = ? AND transfer_id = ?`,
  );
  return {
    findDischarge: (guild, dischargeId) =>
      read(() => {
        const row = findDischarge.get(guild.guildNo, dischargeId);
        return row && { ...row, guildId: guild.guildId };
      }),
    findTransfer: (guild, transferId) =>
      read(() => {
        const row = findTransfer.get(guild.guildNo, transferId);
        if (row === undefined) {
          return undefined;
        }
        const { dateMs, ...rest } = row;
        return { ...rest, guildId: guild.guildId, date: new Date(dateMs).toISOString() };
      }),
    putDischarges: (guild, discharges) => write('putDischarges', { guildNo: guild.guildNo, discharges }),
    putTransfers: (guild, transfers) => write('putTransfers', { guildNo: guild.guildNo, transfers }),
  };
}

export function createRecordWrites(db: DatabaseSync) {
  const putDischarge = prepare(
    db,
    `INSERT OR REPLACE INTO discharge (guild_no, discharge_id, chat_id, player_id, name, reason, date, type,
       origin, signed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putTransfer = prepare(
    db,
    `INSERT OR REPLACE INTO transfer (guild_no, transfer_id, player_id, name, date, origin, target, signed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    putDischarges({ guildNo, discharges }: { guildNo: number; discharges: readonly Discharge[] }): void {
      for (const one of discharges) {
        const { id, chatId, playerId, name, reason, date, type, from, signed } = one;
        putDischarge.run(guildNo, id, chatId, playerId, name, reason, date, type, from, signed);
      }
    },
    putTransfers({ guildNo, transfers }: { guildNo: number; transfers: readonly Transfer[] }): void {
      for (const one of transfers) {
        const { id, playerId, name, date, from, to, signed } = one;
        putTransfer.run(guildNo, id, playerId, name, Date.parse(date), from, to, signed);
      }
    },
  };
}
