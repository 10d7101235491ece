import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type AppliedMigration, knownSteps } from '../../src/store/operations/migrate.ts';
import { loadSchema as loadPostgresSchema } from '../../src/store/postgres/schema.ts';
import { loadSchema as loadSqliteSchema } from '../../src/store/sqlite/schema.ts';
import { openStoreFile } from './read-store.ts';

const FIXTURES = new URL('../store/fixtures/', import.meta.url);

/**
 * Stores that release 0.2.0 made. `first` has one guild, a key and three posts. `sample` has a part of the sample data of its demo,
 * and what its interface wrote: posts with keys, a batch, a payment, a reversal, a floor, and a webhook with failed deliveries, whose
 * secret belongs to SECRET_KEY. In both the expiry of the key was set to 2036 afterwards.
 */
type Fixture = 'first-0.2.0.db' | 'sample-0.2.0.db' | 'sample-0.2.0.sql' | 'first-0.1.0.db';

/** The setting with which the sample stores were made. */
export const SAMPLE_SECRET_KEY = 'a-secret-key-of-at-least-32-characters';

/** All steps that a store of the program of today has. */
export const KNOWN_STEPS: Record<'sqlite' | 'postgres', AppliedMigration[]> = {
  sqlite: knownSteps(loadSqliteSchema()),
  postgres: knownSteps(loadPostgresSchema()),
};

/** The schema versions of release 0.2.0. */
export const OLDER_VERSION = { sqlite: 15, postgres: 18 };

export function readFixture(name: Fixture): Buffer {
  return gunzipSync(readFileSync(new URL(`${name}.gz`, FIXTURES)));
}

/** Makes an embedded store as release 0.2.0 did, with one guild in it, and runs some SQL in it. */
export function writeOlderStore(file: string, sql = ''): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, readFixture('first-0.2.0.db'));
  const db = openStoreFile(file);
  db.exec(sql);
  db.close();
}
