import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadMigrations } from '../../src/store/migrate.ts';
import { createDatabase } from '../postgres/database.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { startServer } from '../support/process.ts';
import { countRows, openStoreFile } from '../support/read-store.ts';

const REFUSAL = 'guildbook: the store is of an older version: run "guildbook migrate" first\n';
const SECRET_KEY = 'a-secret-key-of-at-least-32-characters';
const STEPS = 2;

const READING = [
  ['guild', 'list'],
  ['guild', 'show', '1'],
  ['key', 'list', '--guild', '1'],
  ['key', 'delete', 'k'],
  ['key', 'create', '--guild', '1', '--name', 'k', '--scopes', 'guild:read', '--expires', '9d'],
  ['export', 'commands'],
  ['verify'],
];
const WRITING = [
  ['guild', 'set', '1', '--name', 'One'],
  ['import', 'commands', 'commands.json'],
];

function stepsOf(store: 'sqlite' | 'postgres') {
  return loadMigrations(new URL(`../../src/store/${store}/migrations/`, import.meta.url)).slice(0, STEPS);
}

/** A folder where command lines can be run, with something to import. */
function createPlace(env: Record<string, string> = {}) {
  const cwd = createFolder();
  writeFileSync(path.join(cwd, 'commands.json'), '[]');
  return { cwd, env, run: (...args: string[]) => runInShared(args, { cwd, env }) };
}

/** A store as the second published schema made it, in the place where commands look for one. */
function createOlderFile() {
  const place = createPlace();
  const file = path.join(place.cwd, 'data', 'guildbook.db');
  mkdirSync(path.dirname(file));
  const db = openStoreFile(file);
  db.exec(`PRAGMA application_id = ${0x47424b31}; PRAGMA journal_mode = WAL;
    CREATE TABLE schema_migration (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`);
  for (const { version, name, checksum, sql } of stepsOf('sqlite')) {
    db.exec(sql);
    db.prepare('INSERT INTO schema_migration VALUES (?, ?, ?, 0)').run(version, name, checksum);
  }
  db.close();
  return { ...place, file, countSteps: () => countRows(file, 'schema_migration') };
}

async function createOlderDatabase() {
  const database = await createDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  await database.query(`CREATE TABLE schema_migration (version bigint NOT NULL PRIMARY KEY,
    name text COLLATE "C" NOT NULL, checksum text COLLATE "C" NOT NULL, applied_at bigint NOT NULL)`);
  for (const { version, name, checksum, sql } of stepsOf('postgres')) {
    await database.query(sql);
    await database.query('INSERT INTO schema_migration VALUES ($1, $2, $3, 0)', [version, name, checksum]);
  }
  const countSteps = async () => (await database.query('SELECT version FROM schema_migration')).length;
  return { ...createPlace({ DATABASE_URL: database.url, SECRET_KEY }), database, countSteps };
}

describe('an embedded store of an older version', () => {
  test('is refused by every command that does not upgrade, and stays as it is', async () => {
    const { cwd, run, countSteps } = createOlderFile();
    const copying = ['copy', '--from', 'sqlite:other.db', '--to', 'sqlite:data/guildbook.db'];
    await runInShared(['guild', 'set', '1', '--name', 'One'], {
      cwd,
      env: { DATABASE_URL: 'sqlite:other.db' },
    });
    for (const args of [...READING, ...WRITING, ['backup', 'b.db'], copying]) {
      expect(await run(...args), args.join(' ')).toEqual({ status: 1, stdout: '', stderr: REFUSAL });
    }
    expect(await run('copy', '--from', 'sqlite:data/guildbook.db', '--to', 'sqlite:new.db')).toMatchObject({
      status: 1,
      stderr: 'guildbook: data/guildbook.db is of an older version: run "guildbook migrate" first\n',
    });
    expect(countSteps()).toBe(STEPS);
    expect(existsSync(path.join(cwd, 'b.db'))).toBe(false);
  });

  test('is upgraded by migrate, and then every command works', async () => {
    const { run } = createOlderFile();
    expect(await run('migrate')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Applied:\n {2}3 /),
    });
    expect(await run('guild', 'set', '1', '--name', 'One')).toMatchObject({ status: 0 });
    expect(await run('verify')).toMatchObject({ status: 0 });
  });

  test('is upgraded by serve', async () => {
    const { cwd, countSteps } = createOlderFile();
    const server = await startServer({ cwd });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });
    expect(countSteps()).toBeGreaterThan(STEPS);
  });
});

describe('where there is no embedded store', () => {
  test.each(READING)('%s %s refuses and makes none', async (...args) => {
    const { cwd, run } = createPlace();
    const result = await run(...args);
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toMatch(
      /^guildbook: there is no store at .*guildbook\.db\n {2}Check DATABASE_URL\..*\n$/,
    );
    expect(existsSync(path.join(cwd, 'data'))).toBe(false);
  });

  test.each(WRITING)('%s %s makes one', async (...args) => {
    const { cwd, run } = createPlace();
    await run(...args);
    expect(existsSync(path.join(cwd, 'data', 'guildbook.db'))).toBe(true);
    expect(await run('verify')).toMatchObject({ status: 0 });
  });
});

describe('a PostgreSQL store of an older version', () => {
  test('is refused by every command that does not upgrade, and stays as it is', async () => {
    const { run, database, countSteps } = await createOlderDatabase();
    const embedded = createPlace();
    await embedded.run('guild', 'set', '1', '--name', 'One');
    const source = `sqlite:${path.join(embedded.cwd, 'data', 'guildbook.db')}`;
    const copies = [
      ['copy', '--from', source, '--to', database.url],
      ['copy', '--from', database.url, '--to', 'sqlite:new.db'],
    ];
    for (const args of [...READING, ...WRITING, ...copies]) {
      expect(await run(...args), args.join(' ')).toEqual({ status: 1, stdout: '', stderr: REFUSAL });
    }
    expect(await countSteps()).toBe(STEPS);
    expect(await run('migrate')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Applied:\n {2}3 /),
    });
    expect(await run('guild', 'set', '1', '--name', 'One')).toMatchObject({ status: 0 });
  });
});

describe('a PostgreSQL database without a store', () => {
  test('gets one from a command that writes, and is refused by those that read', async () => {
    const database = await createDatabase({ isEmpty: true });
    onTestFinished(database.remove);
    const { run } = createPlace({ DATABASE_URL: database.url, SECRET_KEY });
    for (const args of READING) {
      expect(await run(...args), args.join(' ')).toMatchObject({
        status: 1,
        stderr: 'guildbook: the database is not a Guildbook store: "guildbook migrate" makes it one\n',
      });
    }
    expect(await database.query(`SELECT to_regclass('guild') AS guild`)).toEqual([{ guild: null }]);
    expect(await run('guild', 'set', '1', '--name', 'One')).toMatchObject({ status: 0 });
    expect(await run('verify')).toMatchObject({ status: 0 });
  });
});
