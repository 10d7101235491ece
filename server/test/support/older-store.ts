import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { loadMigrations } from '../../src/store/migrate.ts';
import { openStoreFile } from './read-store.ts';

const MIGRATIONS = new URL('../../src/store/sqlite/migrations/', import.meta.url);

/** All steps of the embedded store's schema that the program of today knows. */
export const KNOWN_STEPS = loadMigrations(MIGRATIONS);

/** Makes an embedded store as an older version did, with the first steps of the schema, and rows of that version. */
export function writeOlderStore(file: string, steps: number, rows = ''): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const db = openStoreFile(file);
  db.exec(`PRAGMA application_id = ${0x47424b31}; PRAGMA journal_mode = WAL;
    CREATE TABLE schema_migration (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`);
  for (const { version, name, checksum, sql } of KNOWN_STEPS.slice(0, steps)) {
    db.exec(sql);
    db.prepare('INSERT INTO schema_migration VALUES (?, ?, ?, 0)').run(version, name, checksum);
  }
  db.exec(rows);
  db.close();
}
