import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';

let empty: Buffer | undefined;

/** Writes the file of an empty store. It is migrated once and copied after that, which takes a tenth of the time. */
export function writeEmptyStore(file: string): void {
  empty ??= makeEmptyStore();
  writeFileSync(file, empty);
}

function makeEmptyStore(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-empty-'));
  try {
    const file = path.join(folder, 'empty.db');
    migrateSqliteFile(file);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
