import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { backUpSqliteFile, type CopyOptions, restoreSqliteFile } from '../../src/store/sqlite/backup.ts';
import { aQuery } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { fillStore, makeFullFile, openStoreOn, withRaw } from './full-store.ts';

export type Options = Partial<CopyOptions> & Pick<CopyOptions, 'source' | 'target'>;
export const quiet = { mayOverwrite: false, onProgress: () => {} };
export const backUp = async (options: Options) => (await backUpSqliteFile({ ...quiet, ...options })).findings;
export const restore = (options: Options) => restoreSqliteFile({ ...quiet, ...options }).findings;

export function openForTest(file: string): Promise<Store> {
  return openStoreOn(file).then((store) => {
    onTestFinished(() => store.close());
    return store;
  });
}

/** A folder with a served store in it, and the name of a copy that is not there yet. */
export async function serve() {
  const folder = createFolder();
  const source = path.join(folder, 'guildbook.db');
  const store = await openForTest(source);
  const guild = await fillStore(store);
  return { folder, source, store, guild, target: path.join(folder, 'backup.db') };
}

/** A folder with a closed store in it. */
export async function keep() {
  const folder = createFolder();
  return { folder, source: await makeFullFile(folder), target: path.join(folder, 'target.db') };
}

export const schemaOf = (file: string) =>
  withRaw(file, (db) => db.prepare('SELECT version, name FROM schema_migration ORDER BY version').all());
export const filesOf = (folder: string) => readdirSync(folder).sort();

export async function totalOf(file: string, guild: Guild, playerId = 'p'): Promise<number> {
  const store = await openStoreOn(file);
  try {
    return (await store.ledger.list(guild, playerId, aQuery())).total;
  } finally {
    await store.close();
  }
}

/** Files that are not backups of a store: the name of each, and how it is made. */
export const NOT_STORES: [string, (file: string) => void][] = [
  ['text', (file) => writeFileSync(file, 'guildId,name\n'.repeat(500))],
  ['an empty file', (file) => writeFileSync(file, '')],
  [
    'a database of another program',
    (file) => withRaw(file, (db) => db.exec('CREATE TABLE recipe (title TEXT)')),
  ],
];

export const makeNewer = (file: string) =>
  withRaw(file, (db) =>
    db.exec(`INSERT INTO schema_migration
      SELECT max(version) + 1, 'future', 'c', 0 FROM schema_migration`),
  );
export const makeWrong = (file: string) =>
  withRaw(file, (db) => db.exec('UPDATE account SET balance = balance + 1'));
