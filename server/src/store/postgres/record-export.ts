import type { Discharge, Transfer } from '../../domain/model.ts';
import type { Engine } from '../jobs.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from '../records/record-kinds.ts';
import { filterValues, recordExportSql } from '../records/record-listing-sql.ts';
import type { RecordStoreParts } from '../records/records.ts';
import { statement } from '../sql.ts';

type Export = RecordStoreParts['exportRecords'];
type Order = Parameters<Export>[0];

/** Streams records from a cursor. SQLite reads them on the thread of its exports instead. */
export function createRecordExport(stream: Engine['stream']): Export {
  function exportKind<Item extends Discharge | Transfer, Row extends object>(
    kind: RecordKind<Item, Row>,
    { guild, filter }: Order,
  ): AsyncGenerator<Item> {
    return stream<Omit<Row, 'guildId'>, Item>({
      statement: statement((dialect) => recordExportSql(dialect, kind.table, filter)),
      values: filterValues(guild.guildNo, filter),
      convert: (row) => kind.toListedItem(row, guild.guildId),
    });
  }
  return (order) =>
    order.table === 'discharge'
      ? exportKind<Discharge, Discharge>(DISCHARGES, order)
      : exportKind(TRANSFERS, order);
}
