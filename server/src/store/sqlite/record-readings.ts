import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type { Discharge, GuildRef, Transfer } from '../../domain/model.ts';
import { SQLITE } from '../dialect.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from '../records/record-kinds.ts';
import { type AnyFilter, filterValues, recordExportSql } from '../records/record-listing-sql.ts';
import { openConnection, prepare } from './connection.ts';
import type { SnapshotGuard } from './snapshot-guard.ts';
import type { CallOf } from './thread-calls.ts';

/** What the calling thread does with these takes about a millisecond, in which it answers nobody. */
const RECORDS_PER_RANGE = 50;
/** Readings under way at one time; the dashboard begins fewer. */
const READINGS_MAX = 32;

/** The number of a reading is given by the caller, and only once: a thread that was started again must not know it. */
export interface ReadingNo {
  reading: number;
  guildNo: number;
}

export interface RecordOrder {
  table: 'discharge' | 'transfer';
  guild: GuildRef;
  filter: AnyFilter;
}

/** What the next call of a reading gave. */
export interface RecordRange {
  records: (Discharge | Transfer)[];
  hasEnded: boolean;
}

interface Reading {
  db: DatabaseSync;
  next(): RecordRange;
}

/**
 * What the reader thread of exports does for records. They change, so that a reading holds a snapshot from its beginning
 * to its end, on a connection of its own, and is known by a number meanwhile.
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

/** Reads records range by range, all of one moment. It ends early when the WAL gets too long meanwhile. */
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
        // A thread that is gone has taken its snapshots with it.
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
