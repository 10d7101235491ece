import { type Discharge, RECORD_FIELDS, type Transfer } from '../../domain/model.ts';
import { pickRecord, withoutEmpty } from '../../domain/records/pick-record.ts';
import { columnName } from '../column-name.ts';
import { dischargeKeys, type RecordKeys, transferKeys } from './record-keys.ts';

export interface RecordTable {
  name: 'discharge' | 'transfer';
  id: string;
  /** The column with the time in milliseconds. */
  dateMs: string;
  /** Selects a record without the guild's id, which the caller of a list knows. */
  listed: string;
}

type ColumnType = 'text' | 'bigint';

/** One kind of record. Everything else about records is the same for all kinds. */
export interface RecordKind<Item extends { id: string }, Row extends object> {
  table: RecordTable;
  /** Selects records with the guild's id, which is in the guild's row. */
  select: string;
  /** The columns after `guild_no`, in the order of `valuesOf`. */
  columns: readonly { name: string; type: ColumnType }[];
  valuesOf(item: Item): (string | number | null)[];
  toItem(row: Row): Item;
  /** Makes a record of a row from a list. */
  toListedItem(row: Omit<Row, 'guildId'>, guildId: string): Item;
  pick(item: Item): Item;
}

/** Columns that are not named after their field: `from` and `to` are SQL keywords. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = { from: 'origin', to: 'target' };

function columnOf(kind: RecordTable['name'], field: string): string {
  if (field === 'id') {
    return `${kind}_id`;
  }
  return NAMED_OTHERWISE[field] ?? columnName(field);
}

/** A field of a record, which is a text; null when the record lacks it. */
function textOf(item: object, field: string): string | null {
  return Reflect.get(item, field) ?? null;
}

interface KindDeclaration<Item, Row> {
  name: RecordTable['name'];
  /**
   * The column with the time in milliseconds. With `isDate` it is the record's date; otherwise the date is stored as
   * text beside it.
   */
  dateMs: { column: string; isDate: boolean };
  keysOf(item: Item): RecordKeys;
  toItem(row: Row): Item;
}

/** Derives columns and statements from the fields of a kind. */
function declareKind<Item extends Discharge | Transfer, Row extends object>(
  declaration: KindDeclaration<Item, Row>,
): RecordKind<Item, Row> {
  const { name: kind, dateMs, keysOf, toItem } = declaration;
  const fields = RECORD_FIELDS[kind].filter((field) => field !== 'guildId');
  const own = fields.filter((field) => field !== 'date' || !dateMs.isDate);
  const selected = (field: string) => {
    if (field === 'guildId') {
      return 'g.guild_id AS "guildId"';
    }
    const name = field === 'date' && dateMs.isDate ? 'dateMs' : field;
    return `r.${columnOf(kind, field)} AS "${name}"`;
  };
  const listed = fields.map(selected).join(', ');
  const text = (name: string) => ({ name, type: 'text' as const });
  // The item is of the declared kind, and an added field that it lacks is NULL in its row.
  const toCompleteItem = (row: Row) => withoutEmpty(kind, toItem(row) as never) as unknown as Item;
  return {
    table: { name: kind, id: `${kind}_id`, dateMs: dateMs.column, listed },
    select: `SELECT ${RECORD_FIELDS[kind].map(selected).join(', ')} FROM ${kind} r JOIN guild g USING (guild_no)`,
    columns: [
      ...own.map((field) => text(columnOf(kind, field))),
      { name: dateMs.column, type: 'bigint' },
      text('name_key'),
      text('search_text'),
    ],
    valuesOf(item) {
      const keys = keysOf(item);
      const values = own.map((field) => textOf(item, field));
      return [...values, keys.dateMs, keys.nameKey, keys.searchText];
    },
    toItem: toCompleteItem,
    // A row consists of these columns and the guild's id.
    toListedItem: (row, guildId) => toCompleteItem({ ...row, guildId } as unknown as Row),
    // The item is of the declared kind.
    pick: (item) => pickRecord(kind, item as never) as unknown as Item,
  };
}

export const DISCHARGES: RecordKind<Discharge, Discharge> = declareKind({
  name: 'discharge',
  dateMs: { column: 'date_at', isDate: false },
  keysOf: dischargeKeys,
  toItem: (row) => row,
});

/** The time of a transfer is a number in its table. */
export type TransferRow = Omit<Transfer, 'date'> & { dateMs: number };

export const TRANSFERS: RecordKind<Transfer, TransferRow> = declareKind({
  name: 'transfer',
  dateMs: { column: 'date', isDate: true },
  keysOf: transferKeys,
  toItem: ({ dateMs, ...row }) => pickRecord('transfer', { ...row, date: new Date(dateMs).toISOString() }),
});
