import type { Discharge, Transfer } from '../../domain/model.ts';
import { dischargeKeys, transferKeys } from './record-keys.ts';
import { DISCHARGE_TABLE, type RecordTable, TRANSFER_TABLE } from './record-listing-sql.ts';

/** What discharges and transfers differ in. Everything else is done for both alike, by both stores. */
export interface RecordKind<Item extends { id: string }, Row extends object> {
  table: RecordTable;
  /** Rows with the guild's id, which is in the guild's row. */
  select: string;
  /** The columns behind `guild_no`, in the order of `valuesOf`. */
  columns: readonly { name: string; type: 'text' | 'bigint' }[];
  valuesOf(item: Item): (string | number)[];
  toItem(row: Row): Item;
  /** Of a row from a list, which lacks the guild's id. */
  toListedItem(row: Omit<Row, 'guildId'>, guildId: string): Item;
  /** Field by field: whatever else the caller's object carries is not part of the record. */
  pick(item: Item): Item;
}

const text = (name: string) => ({ name, type: 'text' }) as const;
const time = (name: string) => ({ name, type: 'bigint' }) as const;

export const DISCHARGES: RecordKind<Discharge, Discharge> = {
  table: DISCHARGE_TABLE,
  select: `SELECT discharge_id AS id, guild_id AS "guildId", chat_id AS "chatId", player_id AS "playerId",
    d.name, reason, date, type, origin AS "from", signed FROM discharge d JOIN guild g USING (guild_no)`,
  columns: [
    text('discharge_id'),
    text('chat_id'),
    text('player_id'),
    text('name'),
    text('reason'),
    text('date'),
    text('type'),
    text('origin'),
    text('signed'),
    time('date_at'),
    text('name_key'),
    text('search_text'),
  ],
  valuesOf(discharge) {
    const { id, chatId, playerId, name, reason, date, type, from, signed } = discharge;
    const { dateMs, nameKey, searchText } = dischargeKeys(discharge);
    return [id, chatId, playerId, name, reason, date, type, from, signed, dateMs, nameKey, searchText];
  },
  toItem: (row) => row,
  toListedItem: (row, guildId) => ({ ...row, guildId }),
  pick: ({ id, guildId, chatId, playerId, name, reason, date, type, from, signed }) => ({
    id,
    guildId,
    chatId,
    playerId,
    name,
    reason,
    date,
    type,
    from,
    signed,
  }),
};

/** Times of transfers are numbers in their table. */
export type TransferRow = Omit<Transfer, 'date'> & { dateMs: number };

export const TRANSFERS: RecordKind<Transfer, TransferRow> = {
  table: TRANSFER_TABLE,
  select: `SELECT transfer_id AS id, guild_id AS "guildId", player_id AS "playerId", t.name, date AS "dateMs",
    origin AS "from", target AS "to", signed FROM transfer t JOIN guild g USING (guild_no)`,
  columns: [
    text('transfer_id'),
    text('player_id'),
    text('name'),
    time('date'),
    text('origin'),
    text('target'),
    text('signed'),
    text('name_key'),
    text('search_text'),
  ],
  valuesOf(transfer) {
    const { id, playerId, name, from, to, signed } = transfer;
    const { dateMs, nameKey, searchText } = transferKeys(transfer);
    return [id, playerId, name, dateMs, from, to, signed, nameKey, searchText];
  },
  toItem: toTransfer,
  toListedItem: (row, guildId) => toTransfer({ ...row, guildId }),
  pick: ({ id, guildId, playerId, name, date, from, to, signed }) => ({
    id,
    guildId,
    playerId,
    name,
    date,
    from,
    to,
    signed,
  }),
};

function toTransfer({ id, guildId, playerId, name, dateMs, from, to, signed }: TransferRow): Transfer {
  return { id, guildId, playerId, name, date: new Date(dateMs).toISOString(), from, to, signed };
}
