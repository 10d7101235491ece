import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder } from './folder.ts';
import { KNOWN_STEPS } from './older-store.ts';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = ['bin', 'src', 'package.json'];

/** A table that the program of today does not know, with a row for each guild. */
const LATER_STEP = `CREATE TABLE later (guild_no INTEGER PRIMARY KEY REFERENCES guild) STRICT;
INSERT INTO later SELECT guild_no FROM guild;
`;

/** The schema versions of the program of today and of the next one, on SQLite. */
export const PRESENT_VERSION = KNOWN_STEPS.sqlite.length;
export const NEWER_VERSION = PRESENT_VERSION + 1;

export interface NewerMigration {
  engine: 'sqlite' | 'postgres';
  sql: string;
}

/** The program as its next version will be: a copy of this one, with one more migration. Returns its entry. */
export function createNewerProgram(
  { engine, sql }: NewerMigration = { engine: 'sqlite', sql: LATER_STEP },
): string {
  const folder = createFolder();
  const own = path.join(folder, 'server');
  mkdirSync(own);
  for (const part of PARTS) {
    cpSync(path.join(SERVER, part), path.join(own, part), { recursive: true });
  }
  symlinkSync(path.join(SERVER, '..', 'node_modules'), path.join(folder, 'node_modules'));
  symlinkSync(path.join(SERVER, 'node_modules'), path.join(own, 'node_modules'));
  const store = path.join(own, 'src', 'store', engine);
  const version = KNOWN_STEPS[engine].length + 1;
  writeFileSync(path.join(store, 'migrations', `${String(version).padStart(4, '0')}-later.sql`), sql);
  if (sql === LATER_STEP) {
    appendFileSync(path.join(store, 'schema', '5-counters.sql'), sql);
  }
  return path.join(own, 'bin', 'guildbook.js');
}
