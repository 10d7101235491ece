import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type { RowReader } from './read-rows.ts';
import { walBytes } from './wal-truncation.ts';

/** How often the WAL is looked at while a reading is under way: it may wait for its receiver all that time. */
const LOOK_EVERY_MS = 500;

/**
 * Ends readings that hold a snapshot when the WAL gets too long: SQLite cannot reset it while anybody reads from it, and a
 * slow receiver would let it fill the disk.
 */
export function createSnapshotGuard(file: string, bytesMax: number) {
  const open = new Set<DatabaseSync>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (walBytes(file) > bytesMax) {
      // Closing gives the snapshots up at once, also of readings that are waiting.
      for (const db of [...open]) {
        end(db);
      }
    }
  }

  function end(db: DatabaseSync): void {
    open.delete(db);
    if (open.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    if (db.isOpen) {
      db.close();
    }
  }

  return {
    watch(db: DatabaseSync): RowReader {
      open.add(db);
      if (bytesMax !== Number.POSITIVE_INFINITY) {
        timer ??= setInterval(look, LOOK_EVERY_MS).unref();
      }
      return {
        db,
        assertMayGoOn() {
          if (!db.isOpen) {
            const cause = new Error(
              `the write-ahead log got longer than ${bytesMax} bytes: the reading was ended`,
            );
            throw new DomainError('store_unavailable', { cause, retryAfterSeconds: 5 });
          }
        },
        close: () => end(db),
      };
    },
  };
}
