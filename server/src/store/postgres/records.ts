import type { Transfer } from '../../domain/model.ts';
import type { DischargeStore, RecordStore } from '../../domain/ports.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from '../record-kinds.ts';
import type { AnyFilter } from '../record-listing-sql.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { countByPlayer, createRecordListing, findDischargeTypes } from './record-lists.ts';
import { createRecordWrites, prepareRecords } from './record-writes.ts';
import type { Runner } from './statement.ts';
import type { Writer } from './write.ts';

export interface RecordStoreParts {
  read: Runner;
  openReader: OpenReader;
  writer: Writer;
}

export function createDischargeStore(parts: RecordStoreParts): DischargeStore {
  return {
    ...createRecordStore(DISCHARGES, parts),
    types: ({ guildNo }, limit) => findDischargeTypes(parts.read, guildNo, limit),
  };
}

export function createTransferStore(parts: RecordStoreParts): RecordStore<Transfer> {
  return createRecordStore(TRANSFERS, parts);
}

function createRecordStore<Item extends { id: string }, Row extends object>(
  kind: RecordKind<Item, Row>,
  { read, openReader, writer }: RecordStoreParts,
): RecordStore<Item, AnyFilter> {
  const { select, table, toItem } = kind;
  const statements = prepareRecords(kind);
  const listing = createRecordListing(kind, { read, openReader });
  return {
    ...createRecordWrites({ ...kind, statements }, writer),
    async find({ guildNo }, id) {
      const row = await read.first(statements.find, [guildNo, id]);
      return row && toItem(row);
    },
    findMany: async ({ guildNo }, ids) => (await read.all(statements.findMany, [guildNo, ids])).map(toItem),
    read: (guild) =>
      readRows<Row, Item>({
        openReader,
        sql: `${select} ${guild === undefined ? '' : 'WHERE guild_no = $1'} ORDER BY guild_no, ${table.id}`,
        values: guild === undefined ? [] : [guild.guildNo],
        convert: toItem,
      }),
    list: listing.list,
    walk: listing.walk,
    readMatching: listing.read,
    count: listing.count,
    countByPlayer: ({ guildNo }, playerIds) => countByPlayer(read, table, { guildNo, playerIds }),
  };
}
