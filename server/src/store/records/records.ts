import { continueWith } from '../../domain/maybe-promise.ts';
import type { Discharge, GuildRef, Transfer } from '../../domain/model.ts';
import type { DischargeStore, RecordStore } from '../../domain/ports.ts';
import type { Engine, RunLongRead, RunWrite } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from './record-kinds.ts';
import { type AnyFilter, DISCHARGE_TYPES } from './record-listing-sql.ts';
import { createRecordCounts, createRecordReads } from './record-lists.ts';
import { createRecordWrites, declareStatements } from './record-writes.ts';

const dischargeWrites = createRecordWrites<Discharge, Discharge>(DISCHARGES);
const transferWrites = createRecordWrites(TRANSFERS);
const dischargeReads = createRecordReads<Discharge, Discharge>(DISCHARGES);
const transferReads = createRecordReads(TRANSFERS);

export const RECORD_WRITES = {
  putDischarges: dischargeWrites.put,
  addDischarges: dischargeWrites.addFree,
  createDischarge: dischargeWrites.create,
  replaceDischarge: dischargeWrites.replace,
  deleteDischarge: dischargeWrites.delete,
  putTransfers: transferWrites.put,
  addTransfers: transferWrites.addFree,
  createTransfer: transferWrites.create,
  replaceTransfer: transferWrites.replace,
  deleteTransfer: transferWrites.delete,
};

export const RECORD_READS = {
  listDischarges: dischargeReads.list,
  walkDischarges: dischargeReads.walk,
  listTransfers: transferReads.list,
  walkTransfers: transferReads.walk,
};

const FIND_TYPES = statement<{ type: string }>(DISCHARGE_TYPES);

export interface RecordStoreParts {
  engine: Engine<typeof RECORD_WRITES, typeof RECORD_READS>;
  /** Streams the records that match a filter, all from one snapshot. */
  exportRecords(order: {
    table: 'discharge' | 'transfer';
    guild: GuildRef;
    filter: AnyFilter;
  }): AsyncGenerator<Discharge | Transfer>;
  /** Call it after a change by this process: the counters are then read again. */
  lookAgain(): void;
}

export function createDischargeStore(parts: RecordStoreParts): DischargeStore {
  const { read, readLong, write } = parts.engine;
  return {
    ...createRecordStore<Discharge, Discharge>(DISCHARGES, parts, {
      writes: {
        put: (input) => write('putDischarges', input),
        addFree: (input) => write('addDischarges', input),
        create: (input) => write('createDischarge', input),
        replace: (input) => write('replaceDischarge', input),
        delete: (input) => write('deleteDischarge', input),
      },
      reads: {
        list: (input, rows) => readLong('listDischarges', input, rows),
        walk: (input, rows) => readLong('walkDischarges', input, rows),
      },
    }),
    types: async ({ guildNo }, limit) =>
      (await read.all(FIND_TYPES, [guildNo, limit])).map(({ type }) => type),
  };
}

export function createTransferStore(parts: RecordStoreParts): RecordStore<Transfer> {
  const { readLong, write } = parts.engine;
  return createRecordStore(TRANSFERS, parts, {
    writes: {
      put: (input) => write('putTransfers', input),
      addFree: (input) => write('addTransfers', input),
      create: (input) => write('createTransfer', input),
      replace: (input) => write('replaceTransfer', input),
      delete: (input) => write('deleteTransfer', input),
    },
    reads: {
      list: (input, rows) => readLong('listTransfers', input, rows),
      walk: (input, rows) => readLong('walkTransfers', input, rows),
    },
  });
}

type Writes<Item extends { id: string }> = ReturnType<typeof createRecordWrites<Item, object>>;
type Reads<Item extends { id: string }> = ReturnType<typeof createRecordReads<Item, object>>;

/** The jobs of a kind, each under its name. */
interface Jobs<Item extends { id: string }> {
  writes: {
    [Name in keyof Writes<Item>]: (
      input: Parameters<RunWrite<Pick<Writes<Item>, Name>>>[1],
    ) => ReturnType<RunWrite<Pick<Writes<Item>, Name>>>;
  };
  reads: {
    [Name in keyof Reads<Item>]: (
      input: Parameters<Reads<Item>[Name]>[1],
      rows: Parameters<RunLongRead<Reads<Item>>>[2],
    ) => Promise<Awaited<ReturnType<Reads<Item>[Name]>>>;
  };
}

function createRecordStore<Item extends Discharge | Transfer, Row extends object>(
  kind: RecordKind<Item, Row>,
  { engine, exportRecords, lookAgain }: RecordStoreParts,
  { writes, reads }: Jobs<Item>,
): RecordStore<Item, AnyFilter> {
  const { select, table, toItem } = kind;
  const { read, readNow, stream } = engine;
  const { find, findMany } = declareStatements(kind);
  const counts = createRecordCounts(kind);
  const rowsToVisit = createEstimate(read, table.name);
  const all = statement<Row>(`${select} ORDER BY guild_no, ${table.id}`);
  const ofGuild = statement<Row>(`${select} WHERE guild_no = $1 ORDER BY ${table.id}`);
  return {
    find: ({ guildNo }, id) => continueWith(readNow.first(find, [guildNo, id]), (row) => row && toItem(row)),
    async findMany({ guildNo }, ids) {
      const found = new Map(
        (await read.all(findMany, [guildNo, ids])).map(toItem).map((item) => [item.id, item]),
      );
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    put: ({ guildNo }, records, change, match) =>
      writes.put({ guildNo, records, change, match }).finally(lookAgain),
    addFree: ({ guildNo }, records, change) =>
      writes.addFree({ guildNo, records, change }).finally(lookAgain),
    create: ({ guildNo }, record, change) =>
      writes.create({ guildNo, records: [record], change }).finally(lookAgain),
    replace: ({ guildNo }, record, change, match) =>
      writes.replace({ guildNo, records: [record], change, match }).finally(lookAgain),
    delete: ({ guildNo }, id, change, match) =>
      writes.delete({ guildNo, id, change, match }).finally(lookAgain),
    list: (guild, filter) => reads.list({ guild, filter }, () => rowsToVisit(guild)),
    // Only a search visits more rows than it finds.
    walk: (guild, walk) =>
      reads.walk({ guild, walk }, () => (walk.search === undefined ? 0 : rowsToVisit(guild))),
    read: (guild) =>
      guild === undefined
        ? stream({ statement: all, values: [], convert: toItem })
        : stream({ statement: ofGuild, values: [guild.guildNo], convert: toItem }),
    // The records of a table are items of its kind.
    readMatching: (guild, filter) =>
      exportRecords({ table: table.name, guild, filter }) as AsyncGenerator<unknown> as AsyncGenerator<Item>,
    count: ({ guildNo }, range) => counts.inRange(read, guildNo, range),
    countByPlayer: ({ guildNo }, playerIds) => counts.byPlayer(read, guildNo, playerIds),
  };
}

/** A guild with at most this many records is listed on the calling thread. */
const SHORT_TABLE = 2_000;

/** Estimates how many records a page may visit. Reads no more entries of the index than SHORT_TABLE. */
function createEstimate(read: Sql, table: 'discharge' | 'transfer') {
  const hasMany = statement<{ found: number }>(
    ({ indexedBy }) =>
      `SELECT 1 AS found FROM ${table} ${indexedBy(`${table}_by_player`)} WHERE guild_no = $1 LIMIT 1 OFFSET ${SHORT_TABLE}`,
  );
  return async ({ guildNo }: GuildRef): Promise<number> =>
    (await read.first(hasMany, [guildNo])) === undefined ? 0 : Number.POSITIVE_INFINITY;
}
