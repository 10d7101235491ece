import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type { Discharge, GuildRef, Transfer } from '../../domain/model.ts';
import { SQLITE } from '../dialect.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from '../records/record-kinds.ts';
import { type AnyFilter, filterValues, recordExportSql } from '../records/record-listing-sql.ts';
import { openConnection, prepare } from './connection.ts';
import type { SnapshotGuard } from './snapshot-guard.ts';
import type { CallOf } from './thread-calls.ts';

/** The calling thread spends about a millisecond on this many records, and does nothing else meanwhile. */
const RECORDS_PER_RANGE = 50;
/** Readings that may be open at one time; the dashboard opens fewer. */
const READINGS_MAX = 32;

/** Identifies a reading. Numbers are never reused, so that a call for a reading of an ended thread cannot reach a new reading. */
export interface ReadingNo {
  reading: number;
  guildNo: number;
}

export interface RecordOrder {
  table: 'discharge' | 'transfer';
  guild: GuildRef;
  filter: AnyFilter;
}

/** The result of one call of `nextRecords`. */
export interface RecordRange {
  records: (Discharge | Transfer)[];
  hasEnded: boolean;
}

interface Reading {
  db: DatabaseSync;
  next(): RecordRange;
}

/**
 * Reads records on the export thread. Records change, so a reading holds one snapshot from its beginning to its end,
 * on a connection of its own. Its number identifies it between the calls.
 */
export function createRecordReadings(file: string) {
  const readings = new Map<number, Reading>();

  function end(reading: number): void {
    readings.get(reading)?.db.close();
    readings.delete(reading);
  }

  return {
    openRecords({ reading, ...order }: RecordOrder & Pick<ReadingNo, 'reading'>): void {
      if (readings.size >= READINGS_MAX) {
        throw new DomainError('overloaded', { retryAfterSeconds: 5 });
      }
      const begun =
        order.table === 'discharge' ? begin(file, DISCHARGES, order) : begin(file, TRANSFERS, order);
      readings.set(reading, begun);
    },
    nextRecords({ reading }: ReadingNo): RecordRange {
      const range = readings.get(reading)?.next();
      if (range === undefined) {
        const cause = new Error('the thread that read the records was started again');
        throw new DomainError('store_unavailable', { cause, retryAfterSeconds: 5 });
      }
      return range;
    },
    closeRecords: ({ reading }: ReadingNo): void => end(reading),
    closeAll(): void {
      for (const reading of [...readings.keys()]) {
        end(reading);
      }
    },
  };
}

export type RecordReadings = Omit<ReturnType<typeof createRecordReadings>, 'closeAll'>;

function begin<Item extends Discharge | Transfer, Row extends object>(
  file: string,
  kind: RecordKind<Item, Row>,
  { guild, filter }: RecordOrder,
): Reading {
  const db = openConnection(file);
  try {
    db.exec('PRAGMA query_only = ON');
    const sql = recordExportSql(SQLITE, kind.table, filter);
    const rows = prepare<Omit<Row, 'guildId'>>(db, sql).iterate(...filterValues(guild.guildNo, filter));
    return { db, next: () => takeRange(rows, (row) => kind.toListedItem(row, guild.guildId)) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function takeRange<Row, Item extends Discharge | Transfer>(
  rows: Iterator<Row>,
  toItem: (row: Row) => Item,
): RecordRange {
  const records: Item[] = [];
  while (records.length < RECORDS_PER_RANGE) {
    const { done, value } = rows.next();
    if (done === true) {
      return { records, hasEnded: true };
    }
    records.push(toItem(value));
  }
  return { records, hasEnded: false };
}

export type ReadRecordRanges = ReturnType<typeof createRecordRanges>;

/** Streams records range by range, all from one snapshot. Fails when the WAL grows too long meanwhile. */
export function createRecordRanges(readExport: CallOf<RecordReadings>, guard: SnapshotGuard) {
  let last = 0;
  return async function* readRecordRanges(order: RecordOrder): AsyncGenerator<Discharge | Transfer> {
    last += 1;
    const reading = last;
    const { guildNo } = order.guild;
    await readExport('openRecords', { reading, ...order });
    const watched = guard.watch({
      isOpen: true,
      close() {
        this.isOpen = false;
        // A thread that has ended has released its snapshots.
        readExport('closeRecords', { reading, guildNo }).catch(() => {});
      },
    });
    try {
      for (let hasEnded = false; !hasEnded; ) {
        watched.assertMayGoOn();
        const range = await readExport('nextRecords', { reading, guildNo });
        for (const record of range.records) {
          yield record;
          watched.assertMayGoOn();
        }
        hasEnded = range.hasEnded;
      }
    } finally {
      watched.close();
    }
  };
}
