import type { ArchiveAccess } from '../operations/archive.ts';
import { assertMigrated } from './backup.ts';
import { openConnection } from './connection.ts';
import { createSql } from './sql.ts';
import { createWriteLock } from './write-lock.ts';

/**
 * Opens a store to archive parts of it, while it may be served. SQLite does not check references on this connection:
 * each removed transaction would search all idempotency keys of its guild. The archive removes the keys itself, and
 * `verify` checks all references.
 */
export function openSqliteArchive(file: string): ArchiveAccess {
  assertMigrated(file);
  const db = openConnection(file);
  db.exec('PRAGMA foreign_keys = OFF');
  const sql = createSql(db);
  const lock = createWriteLock(db);
  return {
    read: (work) => work(sql),
    async run(work) {
      lock.begin();
      try {
        const result = await work(sql);
        db.exec('COMMIT');
        return result;
      } catch (error) {
        // Some failures have rolled back already.
        if (db.isTransaction) {
          db.exec('ROLLBACK');
        }
        throw error;
      } finally {
        lock.ended();
      }
    },
    close: async () => db.close(),
  };
}
