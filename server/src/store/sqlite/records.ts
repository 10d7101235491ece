import type { DatabaseSync } from 'node:sqlite';
import type { Change, Discharge, PutOutcome, Transfer } from '../../domain/model.ts';
import type { RecordStore } from '../../domain/ports.ts';
import { dischargeKeys, transferKeys } from '../record-keys.ts';
import { type AuditedPut, createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';
import { readRows } from './read-rows.ts';
import type { StoreParts } from './write.ts';

export type RecordWrites = ReturnType<typeof createRecordWrites>;

type TransferRow = Omit<Transfer, 'date'> & { dateMs: number };

const DISCHARGES = `SELECT discharge_id AS id, guild_id AS guildId, chat_id AS chatId, player_id AS playerId, d.name,
  reason, date, type, origin AS "from", signed FROM discharge d JOIN guild g USING (guild_no)`;
const TRANSFERS = `SELECT transfer_id AS id, guild_id AS guildId, player_id AS playerId, t.name, date AS dateMs,
  origin AS "from", target AS "to", signed FROM transfer t JOIN guild g USING (guild_no)`;

export function createRecordStore(parts: StoreParts<RecordWrites>): RecordStore {
  const { db, read, openReader, write } = parts;
  const findDischarge = prepare<Discharge>(db, `${DISCHARGES} WHERE guild_no = ? AND discharge_id = ?`);
  const findTransfer = prepare<TransferRow>(db, `${TRANSFERS} WHERE guild_no = ? AND transfer_id = ?`);
  const countDischarges = prepareCount(db, 'discharge', 'date_at');
  const countTransfers = prepareCount(db, 'transfer', 'date');
  return {
    findDischarge: (guild, dischargeId) => read(() => findDischarge.get(guild.guildNo, dischargeId)),
    findTransfer: (guild, transferId) =>
      read(() => {
        const row = findTransfer.get(guild.guildNo, transferId);
        return row && toTransfer(row);
      }),
    putDischarges: ({ guildNo }, discharges, change) =>
      write('putDischarges', { guildNo, discharges, change }),
    putTransfers: ({ guildNo }, transfers, change) => write('putTransfers', { guildNo, transfers, change }),
    deleteDischarge: ({ guildNo }, id, change) => write('deleteDischarge', { guildNo, id, change }),
    deleteTransfer: ({ guildNo }, id, change) => write('deleteTransfer', { guildNo, id, change }),
    readDischarges: (guild) =>
      readRows<Discharge, Discharge>({
        openReader,
        sql: `${DISCHARGES} ${guild === undefined ? '' : 'WHERE guild_no = ?'} ORDER BY guild_no, discharge_id`,
        values: guild === undefined ? [] : [guild.guildNo],
        converter: () => (row) => row,
      }),
    readTransfers: (guild) =>
      readRows<TransferRow, Transfer>({
        openReader,
        sql: `${TRANSFERS} ${guild === undefined ? '' : 'WHERE guild_no = ?'} ORDER BY guild_no, transfer_id`,
        values: guild === undefined ? [] : [guild.guildNo],
        converter: () => toTransfer,
      }),
    countDischarges: ({ guildNo }, { sinceMs, untilMs }) =>
      read(() => countDischarges.get(guildNo, sinceMs, untilMs)?.count ?? 0),
    countTransfers: ({ guildNo }, { sinceMs, untilMs }) =>
      read(() => countTransfers.get(guildNo, sinceMs, untilMs)?.count ?? 0),
  };
}

function prepareCount(db: DatabaseSync, table: 'discharge' | 'transfer', column: 'date_at' | 'date') {
  return prepare<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM ${table} INDEXED BY ${table}_by_date
     WHERE guild_no = ? AND ${column} >= ? AND ${column} < ?`,
  );
}

interface RecordChange {
  guildNo: number;
  change: Change;
}

export function createRecordWrites(db: DatabaseSync) {
  const findDischarge = prepare<Discharge>(db, `${DISCHARGES} WHERE guild_no = ? AND discharge_id = ?`);
  const findTransfer = prepare<TransferRow>(db, `${TRANSFERS} WHERE guild_no = ? AND transfer_id = ?`);
  const putDischarge = prepare(
    db,
    `INSERT OR REPLACE INTO discharge (guild_no, discharge_id, chat_id, player_id, name, reason, date, type,
       origin, signed, date_at, name_key, search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putTransfer = prepare(
    db,
    `INSERT OR REPLACE INTO transfer (guild_no, transfer_id, player_id, name, date, origin, target, signed, name_key,
       search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteDischarge = prepare(db, 'DELETE FROM discharge WHERE guild_no = ? AND discharge_id = ?');
  const deleteTransfer = prepare(db, 'DELETE FROM transfer WHERE guild_no = ? AND transfer_id = ?');
  const audit = createAuditWriter(db);

  return {
    putDischarges(input: RecordChange & { discharges: readonly Discharge[] }): PutOutcome[] {
      const { guildNo, change } = input;
      return input.discharges.map((discharge) => {
        const { id, guildId, chatId, playerId, name, reason, date, type, from, signed } = discharge;
        // Field by field: whatever else the caller's object carries is not part of the record.
        const after = { id, guildId, chatId, playerId, name, reason, date, type, from, signed };
        const before = findDischarge.get(guildNo, id);
        const outcome = log(audit, {
          guildNo,
          change,
          subjectKind: 'discharge',
          subjectId: id,
          before,
          after,
        });
        if (outcome !== 'unchanged') {
          const { dateMs, nameKey, searchText } = dischargeKeys(after);
          const keys = [dateMs, nameKey, searchText];
          putDischarge.run(guildNo, id, chatId, playerId, name, reason, date, type, from, signed, ...keys);
        }
        return outcome;
      });
    },
    putTransfers(input: RecordChange & { transfers: readonly Transfer[] }): PutOutcome[] {
      const { guildNo, change } = input;
      return input.transfers.map((transfer) => {
        const { id, guildId, playerId, name, date, from, to, signed } = transfer;
        const after = { id, guildId, playerId, name, date, from, to, signed };
        const row = findTransfer.get(guildNo, id);
        const before = row && toTransfer(row);
        const outcome = log(audit, {
          guildNo,
          change,
          subjectKind: 'transfer',
          subjectId: id,
          before,
          after,
        });
        if (outcome !== 'unchanged') {
          const { dateMs, nameKey, searchText } = transferKeys(after);
          putTransfer.run(guildNo, id, playerId, name, dateMs, from, to, signed, nameKey, searchText);
        }
        return outcome;
      });
    },
    deleteDischarge({ guildNo, id, change }: RecordChange & { id: string }): boolean {
      const before = findDischarge.get(guildNo, id);
      if (before === undefined) {
        return false;
      }
      deleteDischarge.run(guildNo, id);
      return audit({ guildNo, change, subjectKind: 'discharge', subjectId: id, before, after: undefined });
    },
    deleteTransfer({ guildNo, id, change }: RecordChange & { id: string }): boolean {
      const row = findTransfer.get(guildNo, id);
      if (row === undefined) {
        return false;
      }
      deleteTransfer.run(guildNo, id);
      const before = toTransfer(row);
      return audit({ guildNo, change, subjectKind: 'transfer', subjectId: id, before, after: undefined });
    },
  };
}

function log(audit: (put: AuditedPut) => boolean, put: AuditedPut): PutOutcome {
  if (!audit(put)) {
    return 'unchanged';
  }
  return put.before === undefined ? 'created' : 'updated';
}

function toTransfer({ dateMs, ...row }: TransferRow): Transfer {
  const { id, guildId, playerId, name, from, to, signed } = row;
  return { id, guildId, playerId, name, date: new Date(dateMs).toISOString(), from, to, signed };
}
