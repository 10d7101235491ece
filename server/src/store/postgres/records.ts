import type { GuildRef } from '../../domain/model.ts';
import type { RecordStore } from '../../domain/ports.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from './record-kinds.ts';
import { countByPlayer, createRecordListing, findDischargeTypes } from './record-lists.ts';
import { createRecordWrites } from './record-writes.ts';
import type { Runner } from './statement.ts';
import type { Writer } from './write.ts';

export interface RecordStoreParts {
  read: Runner;
  openReader: OpenReader;
  writer: Writer;
}

export function createRecordStore(parts: RecordStoreParts): RecordStore {
  const { read } = parts;
  const discharges = createKindStore(DISCHARGES, parts);
  const transfers = createKindStore(TRANSFERS, parts);
  return {
    findDischarge: discharges.find,
    findTransfer: transfers.find,
    putDischarges: discharges.put,
    putTransfers: transfers.put,
    createDischarge: discharges.create,
    createTransfer: transfers.create,
    replaceDischarge: discharges.replace,
    replaceTransfer: transfers.replace,
    deleteDischarge: discharges.delete,
    deleteTransfer: transfers.delete,
    readDischarges: discharges.readAll,
    readTransfers: transfers.readAll,
    listDischarges: discharges.list,
    listTransfers: transfers.list,
    readMatchingDischarges: discharges.read,
    readMatchingTransfers: transfers.read,
    countDischarges: discharges.count,
    countTransfers: transfers.count,
    dischargeTypes: ({ guildNo }, limit) => findDischargeTypes(read, guildNo, limit),
    countByPlayer: ({ guildNo }, playerIds) => countByPlayer(read, guildNo, playerIds),
  };
}

function createKindStore<Item extends { id: string }, Row extends object>(
  kind: RecordKind<Item, Row>,
  parts: RecordStoreParts,
) {
  const { select, table, toItem } = kind;
  return {
    ...createRecordWrites(kind, parts.writer),
    ...createRecordListing(kind, parts),
    async find(guild: GuildRef, id: string): Promise<Item | undefined> {
      const row = await parts.read.first(kind.find, [guild.guildNo, id]);
      return row && toItem(row);
    },
    readAll: (guild: GuildRef | undefined) =>
      readRows<Row, Item>({
        openReader: parts.openReader,
        sql: `${select} ${guild === undefined ? '' : 'WHERE guild_no = $1'} ORDER BY guild_no, ${table.id}`,
        values: guild === undefined ? [] : [guild.guildNo],
        convert: toItem,
      }),
  };
}
