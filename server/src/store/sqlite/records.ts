import type { DatabaseSync } from 'node:sqlite';
import type { Discharge, Transfer } from '../../domain/model.ts';
import type { RecordStore } from '../../domain/ports.ts';
import { DISCHARGE_TABLE, TRANSFER_TABLE } from '../record-listing-sql.ts';
import { readRows } from './read-rows.ts';
import {
  createRecordListing,
  createRecordPages,
  prepareDischargeTypes,
  preparePlayerRecords,
} from './record-lists.ts';
import {
  DISCHARGES,
  prepareFindDischarge,
  prepareFindTransfer,
  TRANSFERS,
  type TransferRow,
  toTransfer,
} from './record-rows.ts';
import type { createRecordWrites } from './record-writes.ts';
import type { Revisions } from './revision.ts';
import type { LongReadOf, StoreParts } from './write.ts';

export type RecordWrites = ReturnType<typeof createRecordWrites>;
export type RecordReads = ReturnType<typeof createRecordReads>;

type RecordParts = StoreParts<RecordWrites> & { readLong: LongReadOf<RecordReads>; revisions: Revisions };

export function createRecordStore(parts: RecordParts): RecordStore {
  const { db, read } = parts;
  const findDischarge = prepareFindDischarge(db);
  const findTransfer = prepareFindTransfer(db);
  const countOfPlayer = preparePlayerRecords(db);
  return {
    findDischarge: ({ guildNo }, id) => read(() => findDischarge(guildNo, id)),
    findTransfer: ({ guildNo }, id) => read(() => findTransfer(guildNo, id)),
    ...createChanges(parts),
    ...createReadings(parts),
    ...createLists(parts),
    countByPlayer: ({ guildNo }, playerIds) =>
      read(() => playerIds.map((playerId) => countOfPlayer(guildNo, playerId))),
  };
}

type Methods<Name extends keyof RecordStore> = Pick<RecordStore, Name>;

function createChanges({
  write,
  revisions,
}: StoreParts<RecordWrites> & { revisions: Revisions }): Methods<
  | 'putDischarges'
  | 'putTransfers'
  | 'createDischarge'
  | 'createTransfer'
  | 'replaceDischarge'
  | 'replaceTransfer'
  | 'deleteDischarge'
  | 'deleteTransfer'
> {
  // Whoever made a change sees it at once.
  const change: typeof write = (name, input) => write(name, input).finally(revisions.lookAgain);
  return {
    putDischarges: ({ guildNo }, records, by) => change('putDischarges', { guildNo, records, change: by }),
    putTransfers: ({ guildNo }, records, by) => change('putTransfers', { guildNo, records, change: by }),
    createDischarge: ({ guildNo }, record, by) =>
      change('createDischarge', { guildNo, records: [record], change: by }),
    createTransfer: ({ guildNo }, record, by) =>
      change('createTransfer', { guildNo, records: [record], change: by }),
    replaceDischarge: ({ guildNo }, record, by) =>
      change('replaceDischarge', { guildNo, records: [record], change: by }),
    replaceTransfer: ({ guildNo }, record, by) =>
      change('replaceTransfer', { guildNo, records: [record], change: by }),
    deleteDischarge: ({ guildNo }, id, by) => change('deleteDischarge', { guildNo, id, change: by }),
    deleteTransfer: ({ guildNo }, id, by) => change('deleteTransfer', { guildNo, id, change: by }),
  };
}

function createReadings({
  openReader,
}: StoreParts<RecordWrites>): Methods<'readDischarges' | 'readTransfers'> {
  return {
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
  };
}

function createLists(
  parts: RecordParts,
): Methods<
  | 'listDischarges'
  | 'listTransfers'
  | 'readMatchingDischarges'
  | 'readMatchingTransfers'
  | 'countDischarges'
  | 'countTransfers'
  | 'dischargeTypes'
> {
  const { readLong } = parts;
  const discharges = createRecordListing(
    { ...parts, listElsewhere: (input) => readLong('listDischarges', input, Number.POSITIVE_INFINITY) },
    DISCHARGE_TABLE,
    toListedDischarge,
  );
  const transfers = createRecordListing(
    { ...parts, listElsewhere: (input) => readLong('listTransfers', input, Number.POSITIVE_INFINITY) },
    TRANSFER_TABLE,
    toListedTransfer,
  );
  const findTypes = prepareDischargeTypes(parts.db);
  return {
    listDischarges: discharges.list,
    listTransfers: transfers.list,
    readMatchingDischarges: discharges.read,
    readMatchingTransfers: transfers.read,
    countDischarges: discharges.count,
    countTransfers: transfers.count,
    dischargeTypes: ({ guildNo }, limit) => parts.read(() => findTypes(guildNo, limit)),
  };
}

/** What the reader threads do for records. */
export function createRecordReads(db: DatabaseSync) {
  return {
    listDischarges: createRecordPages(db, DISCHARGE_TABLE, toListedDischarge),
    listTransfers: createRecordPages(db, TRANSFER_TABLE, toListedTransfer),
  };
}

function toListedDischarge(row: Omit<Discharge, 'guildId'>, guildId: string): Discharge {
  return { ...row, guildId };
}

function toListedTransfer(row: Omit<TransferRow, 'guildId'>, guildId: string): Transfer {
  return toTransfer({ ...row, guildId });
}
