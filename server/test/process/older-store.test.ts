import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type MigrationStep, nameStep } from '../../src/store/operations/migration-steps.ts';
import { loadSchema as loadPostgresSchema } from '../../src/store/postgres/schema.ts';
import { loadSchema as loadSqliteSchema } from '../../src/store/sqlite/schema.ts';
import { createDatabase } from '../postgres/database.ts';
import { createOlderDatabase } from '../postgres/older-database.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { KNOWN_STEPS, OLDER_VERSION, writeOlderStore } from '../support/older-store.ts';
import { startServer } from '../support/process.ts';
import { countRows } from '../support/read-store.ts';

const REFUSAL = 'guildbook: the store is of an older version: run "npx guildbook migrate" first\n';
const SECRET_KEY = 'a-secret-key-of-at-least-32-characters';

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

type Engine = 'sqlite' | 'postgres';

const SCHEMAS = { sqlite: loadSqliteSchema(), postgres: loadPostgresSchema() };

/** The steps that an upgrade applies, as they are shown. On PostgreSQL the functions come last. */
function stepsOf(store: Engine): string[] {
  const steps = KNOWN_STEPS[store].slice(OLDER_VERSION[store]);
  const names = steps.map(({ version, name }) => `${version} ${name}`);
  return store === 'sqlite' ? names : [...names, 'the functions'];
}

/** The steps that migrate runs after those. SQLite runs only backfills apart from the others. */
function backgroundOf(store: Engine): string[] {
  const isApart = ({ kind }: MigrationStep) =>
    kind === 'backfill' || (store === 'postgres' && kind !== 'expand');
  return SCHEMAS[store].steps.flatMap((migration) =>
    migration.steps.filter(isApart).map((step) => nameStep(migration, step)),
  );
}

/** That migrate names both versions, each step after those that were there, and how long it took. */
function expectSteps(printed: string, store: Engine): void {
  const steps = stepsOf(store);
  const last = KNOWN_STEPS[store].length;
  const lines = printed.replaceAll(/\(\d+\.\d s\)/g, '(n s)').split('\n');
  expect(lines.filter((line) => !line.includes('is kept in'))).toEqual([
    `Upgrading the store from schema version ${OLDER_VERSION[store]} to ${last}.`,
    ...steps.map((step, index) => `  ${index + 1} of ${steps.length}: ${step} (n s)`),
    `The store has schema version ${last} (n s).`,
    ...backgroundOf(store).map((step) => `  ${step} (n s)`),
    '',
  ]);
}

/** A folder where command lines can be run, with something to import. */
function createPlace(env: Record<string, string> = {}) {
  const cwd = createFolder();
  writeFileSync(path.join(cwd, 'commands.json'), '[]');
  return { cwd, env, run: (...args: string[]) => runInShared(args, { cwd, env }) };
}

/** A store as release 0.2.0 made it, in the place where commands look for one. */
function createOlderFile() {
  const place = createPlace();
  const file = path.join(place.cwd, 'data', 'guildbook.db');
  writeOlderStore(file);
  return { ...place, file, countSteps: () => countRows(file, 'schema_migration') };
}

async function createOlderPlace() {
  const database = await createOlderDatabase();
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
    for (const args of [...READING, ...WRITING, copying]) {
      expect(await run(...args), args.join(' ')).toEqual({ status: 1, stdout: '', stderr: REFUSAL });
    }
    expect(await run('copy', '--from', 'sqlite:data/guildbook.db', '--to', 'sqlite:new.db')).toMatchObject({
      status: 1,
      stderr: 'guildbook: data/guildbook.db is of an older version: run "npx guildbook migrate" first\n',
    });
    expect(countSteps()).toBe(OLDER_VERSION.sqlite);
  });

  test('is backed up as it is', async () => {
    const { cwd, run, countSteps } = createOlderFile();
    expect(await run('backup', 'b.db')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(
        `\nIt has schema version ${OLDER_VERSION.sqlite}, and this program has `,
      ),
    });
    expect(countSteps()).toBe(OLDER_VERSION.sqlite);
    expect(countRows(path.join(cwd, 'b.db'), 'schema_migration')).toBe(OLDER_VERSION.sqlite);
  });

  test('is upgraded by migrate, and then every command works', async () => {
    const { run } = createOlderFile();
    const migrated = await run('migrate');
    expect(migrated).toMatchObject({ status: 0, stderr: '' });
    expectSteps(migrated.stdout, 'sqlite');
    expect(await run('guild', 'set', '1', '--name', 'One')).toMatchObject({ status: 0 });
    expect(await run('verify')).toMatchObject({ status: 0 });
  });

  test('is upgraded by serve', async () => {
    const { cwd, countSteps } = createOlderFile();
    const server = await startServer({ cwd });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });
    expect(countSteps()).toBe(KNOWN_STEPS.sqlite.length);
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
    const { run, database, countSteps } = await createOlderPlace();
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
    expect(await countSteps()).toBe(OLDER_VERSION.postgres);
    const migrated = await run('migrate');
    expect(migrated).toMatchObject({ status: 0, stderr: '' });
    expectSteps(migrated.stdout, 'postgres');
    expect(migrated.stdout).not.toContain('kept');
    expect(await run('guild', 'set', '1', '--name', 'One')).toMatchObject({ status: 0 });
  });

  test('is upgraded by serve, which logs each step', async () => {
    const { cwd, env, countSteps } = await createOlderPlace();
    const server = await startServer({ cwd, env });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });
    const known = KNOWN_STEPS.postgres.length;
    const lines = server.output.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    const [started] = lines.filter(({ msg }) => msg === 'upgrading the store');
    expect(started).toMatchObject({ from: OLDER_VERSION.postgres, to: known });
    const applied = lines.filter(({ msg }) => msg === 'applied a step of the upgrade');
    expect(applied.map(({ step }) => step)).toEqual(stepsOf('postgres'));
    expect(await countSteps()).toBe(known);
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
        stderr: 'guildbook: the database is not a Guildbook store: "npx guildbook migrate" makes it one\n',
      });
    }
    expect(await database.query(`SELECT to_regclass('guild') AS guild`)).toEqual([{ guild: null }]);
    expect(await run('guild', 'set', '1', '--name', 'One')).toMatchObject({ status: 0 });
    expect(await run('verify')).toMatchObject({ status: 0 });
  });
});
