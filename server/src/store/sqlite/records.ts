import type { Discharge, Transfer } from '../../domain/model.ts';
import type { RecordStore } from '../../domain/ports.ts';
import { DISCHARGE_TABLE, TRANSFER_TABLE } from '../record-listing-sql.ts';
import { readRows } from './read-rows.ts';
import { createRecordListing, prepareDischargeTypes, preparePlayerRecords } from './record-lists.ts';
import {
  DISCHARGES,
  prepareFindDischarge,
  prepareFindTransfer,
  TRANSFERS,
  type TransferRow,
  toTransfer,
} from './record-rows.ts';
import type { createRecordWrites } from './record-writes.ts';
import type { StoreParts } from './write.ts';

export type RecordWrites = ReturnType<typeof createRecordWrites>;

export function createRecordStore(parts: StoreParts<RecordWrites>): RecordStore {
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
}: StoreParts<RecordWrites>): Methods<
  | 'putDischarges'
  | 'putTransfers'
  | 'createDischarge'
  | 'createTransfer'
  | 'replaceDischarge'
  | 'replaceTransfer'
  | 'deleteDischarge'
  | 'deleteTransfer'
> {
  return {
    putDischarges: ({ guildNo }, records, change) => write('putDischarges', { guildNo, records, change }),
    putTransfers: ({ guildNo }, records, change) => write('putTransfers', { guildNo, records, change }),
    createDischarge: ({ guildNo }, record, change) =>
      write('createDischarge', { guildNo, records: [record], change }),
    createTransfer: ({ guildNo }, record, change) =>
      write('createTransfer', { guildNo, records: [record], change }),
    replaceDischarge: ({ guildNo }, record, change) =>
      write('replaceDischarge', { guildNo, records: [record], change }),
    replaceTransfer: ({ guildNo }, record, change) =>
      write('replaceTransfer', { guildNo, records: [record], change }),
    deleteDischarge: ({ guildNo }, id, change) => write('deleteDischarge', { guildNo, id, change }),
    deleteTransfer: ({ guildNo }, id, change) => write('deleteTransfer', { guildNo, id, change }),
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
  parts: StoreParts<RecordWrites>,
): Methods<
  | 'listDischarges'
  | 'listTransfers'
  | 'readMatchingDischarges'
  | 'readMatchingTransfers'
  | 'countDischarges'
  | 'countTransfers'
  | 'dischargeTypes'
> {
  const discharges = createRecordListing<Omit<Discharge, 'guildId'>, Discharge>(
    parts,
    DISCHARGE_TABLE,
    (row, guildId) => ({ ...row, guildId }),
  );
  const transfers = createRecordListing<Omit<TransferRow, 'guildId'>, Transfer>(
    parts,
    TRANSFER_TABLE,
    (row, guildId) => toTransfer({ ...row, guildId }),
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
