import type { DatabaseSync } from 'node:sqlite';
import type { Discharge, Transfer } from '../../domain/model.ts';
import type { DischargeStore, RecordStore } from '../../domain/ports.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from '../record-kinds.ts';
import type { AnyFilter } from '../record-listing-sql.ts';
import { readRows } from './read-rows.ts';
import {
  createRecordListing,
  createRecordPages,
  createRecordWalk,
  type ListElsewhere,
  prepareDischargeTypes,
  preparePlayerCount,
} from './record-lists.ts';
import type { ReadRecordRanges } from './record-readings.ts';
import { type createRecordWrites, prepareFind, WRITE_NAMES } from './record-writes.ts';
import type { Revisions } from './revision.ts';
import type { LongReadOf, StoreParts } from './write.ts';

export type RecordWrites = ReturnType<typeof createRecordWrites>;
export type RecordReads = ReturnType<typeof createRecordReads>;

type RecordParts = StoreParts<RecordWrites> & {
  readLong: LongReadOf<RecordReads>;
  revisions: Revisions;
  readRecordRanges: ReadRecordRanges;
};

export function createDischargeStore(parts: RecordParts): DischargeStore {
  const findTypes = prepareDischargeTypes(parts.db);
  return {
    ...createRecordStore(parts, DISCHARGES, {
      list: (input) => parts.readLong('listDischarges', input, Number.POSITIVE_INFINITY),
      walk: (input) => parts.readLong('walkDischarges', input, Number.POSITIVE_INFINITY),
    }),
    types: ({ guildNo }, limit) => parts.read(() => findTypes(guildNo, limit)),
  };
}

export function createTransferStore(parts: RecordParts): RecordStore<Transfer> {
  return createRecordStore(parts, TRANSFERS, {
    list: (input) => parts.readLong('listTransfers', input, Number.POSITIVE_INFINITY),
    walk: (input) => parts.readLong('walkTransfers', input, Number.POSITIVE_INFINITY),
  });
}

function createRecordStore<Item extends Discharge | Transfer, Row extends object>(
  parts: RecordParts,
  kind: RecordKind<Item, Row>,
  elsewhere: ListElsewhere<Item>,
): RecordStore<Item, AnyFilter> {
  const { db, read, readNow, openReader, readRecordRanges } = parts;
  const { select, table, toItem } = kind;
  const find = prepareFind(db, kind);
  const countOf = preparePlayerCount(db, table);
  const listing = createRecordListing<Row, Item>({ db, read, readRecordRanges, elsewhere }, kind);
  return {
    ...createChanges(parts, kind),
    find: ({ guildNo }, id) => readNow(() => find(guildNo, id)),
    findMany: ({ guildNo }, ids) => read(() => ids.flatMap((id) => find(guildNo, id) ?? [])),
    read: (guild) =>
      readRows<Row, Item>({
        openReader,
        sql: `${select} ${guild === undefined ? '' : 'WHERE guild_no = ?'} ORDER BY guild_no, ${table.id}`,
        values: guild === undefined ? [] : [guild.guildNo],
        converter: () => toItem,
      }),
    list: listing.list,
    walk: listing.walk,
    readMatching: listing.read,
    count: listing.count,
    countByPlayer: ({ guildNo }, playerIds) =>
      read(() => playerIds.map((playerId) => countOf(guildNo, playerId))),
  };
}

function createChanges<Item extends Discharge | Transfer, Row extends object>(
  { write, revisions }: RecordParts,
  { table }: RecordKind<Item, Row>,
): Pick<RecordStore<Item>, 'put' | 'create' | 'replace' | 'delete'> {
  const names = WRITE_NAMES[table.name];
  // The writes of a name take the items of its kind, which the compiler cannot tell from the name.
  type AnyWrite = <Result>(name: string, input: object) => Promise<Result>;
  // Whoever made a change sees it at once.
  const change: AnyWrite = (name, input) =>
    (write as AnyWrite)<never>(name, input).finally(revisions.lookAgain);
  return {
    put: ({ guildNo }, records, by, match) => change(names.put, { guildNo, records, change: by, match }),
    create: ({ guildNo }, record, by) => change(names.create, { guildNo, records: [record], change: by }),
    replace: ({ guildNo }, record, by, match) =>
      change(names.replace, { guildNo, records: [record], change: by, match }),
    delete: ({ guildNo }, id, by, match) => change(names.delete, { guildNo, id, change: by, match }),
  };
}

/** What the reader threads do for records. */
export function createRecordReads(db: DatabaseSync) {
  return {
    listDischarges: createRecordPages<Discharge, Discharge>(db, DISCHARGES),
    listTransfers: createRecordPages(db, TRANSFERS),
    walkDischarges: createRecordWalk<Discharge, Discharge>(db, DISCHARGES),
    walkTransfers: createRecordWalk(db, TRANSFERS),
  };
}
