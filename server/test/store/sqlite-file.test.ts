import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import { openConnection, readPragma } from '../../src/store/sqlite/connection.ts';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { aGuild, CHANGE } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

function newFile(): string {
  return path.join(createFolder(), 'guildbook.db');
}

/** Looks at or changes a file with no code of ours in between. */
function withRaw<Result>(file: string, work: (db: DatabaseSync) => Result): Result {
  const db = openStoreFile(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function schemaOf(file: string): unknown[] {
  return withRaw(file, (db) => db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all());
}

describe('migrating a file', () => {
  it('makes a new one, folder and all, and notes each step', () => {
    const file = path.join(createFolder(), 'deep', 'er', 'guildbook.db');
    const steps = migrateSqliteFile(file);
    expect(steps.map((step) => step.version)).toEqual(steps.map((_, index) => index + 1));
    expect(steps.length).toBeGreaterThan(0);
    const noted = withRaw(file, (db) =>
      db.prepare('SELECT version, name, checksum FROM schema_migration ORDER BY version').all(),
    );
    expect(noted).toEqual(steps.map(({ version, name, checksum }) => ({ version, name, checksum })));
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('twice does nothing the second time', () => {
    const file = newFile();
    migrateSqliteFile(file);
    const before = schemaOf(file);
    expect(migrateSqliteFile(file)).toEqual([]);
    expect(schemaOf(file)).toEqual(before);
  });

  it('is refused when a step was changed since, and leaves the file alone', () => {
    const file = newFile();
    migrateSqliteFile(file);
    withRaw(file, (db) => db.exec("UPDATE schema_migration SET checksum = 'other' WHERE version = 1"));
    expect(() => migrateSqliteFile(file)).toThrow(
      new OperatorError(
        'migration 1 (foundation) differs from the one the store was made with: restore the published file',
      ),
    );
  });

  it('is refused when the file is newer than the program, and so is opening it', async () => {
    const file = newFile();
    const known = migrateSqliteFile(file).length;
    withRaw(file, (db) =>
      db.prepare("INSERT INTO schema_migration VALUES (?, 'future', 'c', 0)").run(known + 1),
    );
    const refusal = new OperatorError(
      `the store has schema version ${known + 1}, this program knows ${known}: use a newer Guildbook`,
    );
    expect(() => migrateSqliteFile(file)).toThrow(refusal);
    await expect(openSqliteStore({ file, onFatal: () => {} })).rejects.toThrow(refusal);
  });
});

describe('a file that is not ours', () => {
  it('a database of another program is refused and left as it was', () => {
    const file = newFile();
    withRaw(file, (db) => db.exec('CREATE TABLE recipe (title TEXT)'));
    const before = readFileSync(file);
    expect(() => migrateSqliteFile(file)).toThrow(
      new OperatorError(`${file} is a database of another program, not a Guildbook store`),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('an empty database that another program has marked as its own is refused', () => {
    const file = newFile();
    withRaw(file, (db) => db.exec('PRAGMA application_id = 77'));
    expect(() => migrateSqliteFile(file)).toThrow('is a database of another program');
  });

  it.each([
    ['a line of text', Buffer.from('guildId,name\n')],
    ['a long text', Buffer.from('guildId,name\n'.repeat(2_000))],
    ['random bytes', randomBytes(8_192)],
  ])('%s is refused with a clear message and left as it was', async (_, content) => {
    const file = newFile();
    writeFileSync(file, content);
    const refusal = new OperatorError(`${file} is not a Guildbook store`);
    expect(() => migrateSqliteFile(file)).toThrow(refusal);
    await expect(openSqliteStore({ file, onFatal: () => {} })).rejects.toThrow(refusal);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('an empty file is taken as a new store', () => {
    const file = newFile();
    writeFileSync(file, '');
    expect(migrateSqliteFile(file).length).toBeGreaterThan(0);
  });
});

describe('a connection', () => {
  function open(file = newFile()): DatabaseSync {
    const db = openConnection(file);
    onTestFinished(() => db.close());
    return db;
  }

  it('writes ahead, flushes every commit, checks references and waits for others', () => {
    const db = open();
    expect(readPragma(db, 'journal_mode')).toBe('wal');
    expect(readPragma(db, 'synchronous')).toBe(2);
    expect(readPragma(db, 'foreign_keys')).toBe(1);
    expect(readPragma(db, 'busy_timeout')).toBe(5_000);
  });

  it('to a file that lost its write-ahead log restores it', () => {
    const file = newFile();
    migrateSqliteFile(file);
    withRaw(file, (db) => db.exec('PRAGMA journal_mode = DELETE'));
    expect(readPragma(open(file), 'journal_mode')).toBe('wal');
  });

  it('refuses what cannot be kept safe, such as memory, instead of pretending', () => {
    // SQLite takes the name for memory, although a file of that name is made for it.
    onTestFinished(() => rmSync(':memory:'));
    expect(() => openConnection(':memory:')).toThrow(
      new OperatorError('the store needs journal_mode=wal, but its file system gives memory'),
    );
  });

  it('marks the file as Guildbook’s', () => {
    expect(readPragma(open(), 'application_id')).toBe(0x47424b31);
  });
});

it('the file of an open store is a write-ahead file that other programs may read meanwhile', async () => {
  const { store, file } = await openTestStore();
  await store.guilds.set(aGuild({ guildId: 'g' }), CHANGE);
  expect(withRaw(file, (db) => readPragma(db, 'journal_mode'))).toBe('wal');
  expect(withRaw(file, (db) => db.prepare('SELECT guild_id FROM guild').all())).toEqual([{ guild_id: 'g' }]);
});
