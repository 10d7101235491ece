import type { Discharge, SubjectKind, Transfer } from '../../domain/model.ts';
import { dischargeKeys, transferKeys } from '../record-keys.ts';
import { DISCHARGE_TABLE, type RecordTable, TRANSFER_TABLE } from '../record-listing-sql.ts';
import { prepare, type Statement, type Value } from './statement.ts';

/** What discharges and transfers differ in; everything else is done for both alike. */
export interface RecordKind<Item extends { id: string }, Row> {
  subjectKind: SubjectKind & RecordTable['name'];
  table: RecordTable;
  /** Rows with the guild's id. */
  select: string;
  find: Statement<Row>;
  findMany: Statement<Row>;
  put: Statement<never>;
  remove: Statement<never>;
  toItem: (row: Row) => Item;
  /** Of a row from a list, which lacks the guild's id. */
  toListedItem: (row: Omit<Row, 'guildId'>, guildId: string) => Item;
  /** Field by field: whatever else the caller's object carries is not part of the record. */
  pick: (item: Item) => Item;
  /** The columns behind the guild's number, one list for each. */
  columnsOf: (items: readonly Item[]) => Value[];
}

const DISCHARGE_SELECT = `SELECT discharge_id AS id, guild_id AS "guildId", chat_id AS "chatId", player_id AS "playerId",
  d.name, reason, date, type, origin AS "from", signed FROM discharge d JOIN guild g USING (guild_no)`;

export const DISCHARGES: RecordKind<Discharge, Discharge> = {
  subjectKind: 'discharge',
  table: DISCHARGE_TABLE,
  select: DISCHARGE_SELECT,
  find: prepare(`${DISCHARGE_SELECT} WHERE guild_no = $1 AND discharge_id = $2`),
  findMany: prepare(`${DISCHARGE_SELECT} WHERE guild_no = $1 AND discharge_id = ANY ($2::text[])`),
  put: prepare(
    `INSERT INTO discharge (guild_no, discharge_id, chat_id, player_id, name, reason, date, type, origin, signed,
       date_at, name_key, search_text)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[])
     ON CONFLICT (guild_no, discharge_id) DO UPDATE SET chat_id = excluded.chat_id, player_id = excluded.player_id,
       name = excluded.name, reason = excluded.reason, date = excluded.date, type = excluded.type,
       origin = excluded.origin, signed = excluded.signed, date_at = excluded.date_at, name_key = excluded.name_key,
       search_text = excluded.search_text`,
  ),
  remove: prepare('DELETE FROM discharge WHERE guild_no = $1 AND discharge_id = $2'),
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
  columnsOf(items) {
    const keys = items.map(dischargeKeys);
    const fields = ['id', 'chatId', 'playerId', 'name', 'reason', 'date', 'type', 'from', 'signed'] as const;
    return [
      ...fields.map((field) => items.map((item) => item[field])),
      keys.map(({ dateMs }) => dateMs),
      keys.map(({ nameKey }) => nameKey),
      keys.map(({ searchText }) => searchText),
    ];
  },
};

type TransferRow = Omit<Transfer, 'date'> & { dateMs: number };

const TRANSFER_SELECT = `SELECT transfer_id AS id, guild_id AS "guildId", player_id AS "playerId", t.name,
  date AS "dateMs", origin AS "from", target AS "to", signed FROM transfer t JOIN guild g USING (guild_no)`;

export const TRANSFERS: RecordKind<Transfer, TransferRow> = {
  subjectKind: 'transfer',
  table: TRANSFER_TABLE,
  select: TRANSFER_SELECT,
  find: prepare(`${TRANSFER_SELECT} WHERE guild_no = $1 AND transfer_id = $2`),
  findMany: prepare(`${TRANSFER_SELECT} WHERE guild_no = $1 AND transfer_id = ANY ($2::text[])`),
  put: prepare(
    `INSERT INTO transfer (guild_no, transfer_id, player_id, name, date, origin, target, signed, name_key, search_text)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::text[])
     ON CONFLICT (guild_no, transfer_id) DO UPDATE SET player_id = excluded.player_id, name = excluded.name,
       date = excluded.date, origin = excluded.origin, target = excluded.target, signed = excluded.signed,
       name_key = excluded.name_key, search_text = excluded.search_text`,
  ),
  remove: prepare('DELETE FROM transfer WHERE guild_no = $1 AND transfer_id = $2'),
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
  columnsOf(items) {
    const keys = items.map(transferKeys);
    return [
      items.map(({ id }) => id),
      items.map(({ playerId }) => playerId),
      items.map(({ name }) => name),
      keys.map(({ dateMs }) => dateMs),
      items.map(({ from }) => from),
      items.map(({ to }) => to),
      items.map(({ signed }) => signed),
      keys.map(({ nameKey }) => nameKey),
      keys.map(({ searchText }) => searchText),
    ];
  },
};

function toTransfer({ dateMs, ...row }: TransferRow): Transfer {
  const { id, guildId, playerId, name, from, to, signed } = row;
  return { id, guildId, playerId, name, date: new Date(dateMs).toISOString(), from, to, signed };
}
