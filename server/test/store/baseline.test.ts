import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import type { UpgradeEvent } from '../../src/store/operations/migrate.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { splitStatements } from '../../src/store/postgres/split-statements.ts';
import { printPostgresMigrations } from '../../src/store/postgres/upgrade-script.ts';
import { migrateSqliteFile, printSqliteMigrations } from '../../src/store/sqlite/migrate.ts';
import { aTransaction, refOf } from '../contract/specimens.ts';
import { createDatabase } from '../postgres/database.ts';
import { createOlderDatabase, postAsOlder } from '../postgres/older-database.ts';
import { openStoreAt } from '../postgres/store.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { KNOWN_STEPS, OLDER_VERSION, readFixture, SAMPLE_SECRET_KEY } from '../support/older-store.ts';
import { countRows } from '../support/read-store.ts';
import { withRaw } from './full-store.ts';
import { postgresSchemaOf, sqliteCountersOf, sqliteSchemaOf } from './schema-text.ts';

const SAMPLE = { transactions: 1_109, discharges: 114, retries: 6 };

function writeFixture(): string {
  const file = path.join(createFolder(), 'data', 'guildbook.db');
  mkdirSync(path.dirname(file));
  writeFileSync(file, readFixture('sample-0.2.0.db'));
  return file;
}

async function createEmptyDatabase() {
  const database = await createDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  return database;
}

/** Functions whose arguments have changed since. Instances of 0.2.0 call them while they run beside this version. */
const FUNCTIONS_OF_0_2 = [
  'append_correction',
  'append_guild_transactions',
  'append_transactions',
  'decide_posts',
];

/** Runs a script as psql does: one statement after the other, since an index is built outside of a transaction. */
async function runScript(url: string, script: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of splitStatements(script)) {
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}

describe('an embedded store of release 0.2.0', () => {
  it('is upgraded, keeps its data, and verify is content', async () => {
    const file = writeFixture();
    const place = { cwd: path.join(path.dirname(file), '..'), env: { SECRET_KEY: SAMPLE_SECRET_KEY } };
    expect(await runInShared(['migrate'], place)).toMatchObject({ status: 0, stderr: '' });
    expect(await runInShared(['verify'], place)).toMatchObject({
      status: 0,
      stdout: 'Everything is in order.\n',
    });
    expect({
      transactions: countRows(file, 'ledger_transaction'),
      discharges: countRows(file, 'discharge'),
      retries: countRows(file, 'webhook_retry'),
    }).toEqual(SAMPLE);
  });

  it('has the schema of a new one afterwards', () => {
    const older = writeFixture();
    const before = sqliteSchemaOf(older);
    migrateSqliteFile(older);
    const made = path.join(createFolder(), 'new.db');
    migrateSqliteFile(made);
    expect(before).not.toEqual(sqliteSchemaOf(made));
    expect(sqliteSchemaOf(older)).toEqual(sqliteSchemaOf(made));
    expect(sqliteCountersOf(older)).toEqual(sqliteCountersOf(made));
    const recorded = (file: string) =>
      withRaw(file, (db) => db.prepare('SELECT version, name, checksum FROM schema_migration').all());
    expect(recorded(older)).toEqual(recorded(made));
    expect(recorded(made)).toEqual(KNOWN_STEPS.sqlite);
  });

  it('gets the same from the printed script', () => {
    const [printed, migrated] = [writeFixture(), writeFixture()];
    withRaw(printed, (db) => db.exec(printSqliteMigrations(OLDER_VERSION.sqlite)));
    migrateSqliteFile(migrated);
    expect(sqliteSchemaOf(printed)).toEqual(sqliteSchemaOf(migrated));
  });
});

describe('a PostgreSQL store of release 0.2.0', () => {
  it('is upgraded, keeps its data, and verify is content', async () => {
    const database = await createOlderDatabase();
    const env = { DATABASE_URL: database.url, SECRET_KEY: SAMPLE_SECRET_KEY };
    const place = { cwd: createFolder(), env };
    expect(await runInShared(['migrate'], place)).toMatchObject({ status: 0, stderr: '' });
    expect(await runInShared(['verify'], place)).toMatchObject({
      status: 0,
      stdout: 'Everything is in order.\n',
    });
    const [counts] =
      await database.query(`SELECT (SELECT count(*)::int FROM ledger_transaction) AS transactions,
      (SELECT count(*)::int FROM discharge) AS discharges, (SELECT count(*)::int FROM webhook_retry) AS retries`);
    expect(counts).toEqual(SAMPLE);
  });

  it('has the schema of a new one afterwards, and so has one that the printed script upgrades', async () => {
    const [older, printed, made] = [
      await createOlderDatabase(),
      await createOlderDatabase(),
      await createEmptyDatabase(),
    ];
    await runScript(printed.url, printPostgresMigrations(OLDER_VERSION.postgres));
    await migratePostgres(parseDatabaseUrl(made.url));
    const schema = await postgresSchemaOf(made);
    for (const upgraded of [older, printed]) {
      // The script leaves the steps in the background to the next start, too.
      const env = { DATABASE_URL: upgraded.url, SECRET_KEY: SAMPLE_SECRET_KEY };
      const migrated = await runInShared(['migrate'], { cwd: createFolder(), env });
      expect(migrated).toMatchObject({ status: 0, stderr: '' });
      const { functions = [], ...rest } = await postgresSchemaOf(upgraded);
      const isKept = (definition: string) => schema.functions?.includes(definition) === false;
      expect({ ...rest, functions: functions.filter((one) => !isKept(one)) }).toEqual(schema);
      expect(functions.filter(isKept).map((one) => /"name":"([a-z_]+)/.exec(one)?.[1])).toEqual(
        FUNCTIONS_OF_0_2,
      );
    }
    expect(schema.functions).toHaveLength(18);
    const recorded = 'SELECT version::int, name, checksum FROM schema_migration ORDER BY version';
    expect(await older.query(recorded)).toEqual(KNOWN_STEPS.postgres);
    expect(await made.query(recorded)).toEqual(KNOWN_STEPS.postgres);
    expect(await migratePostgres(parseDatabaseUrl(printed.url))).toEqual([]);
  });
});

describe('the functions of a PostgreSQL store', () => {
  it('that release 0.2.0 calls work beside those of this one', async () => {
    const database = await createOlderDatabase();
    await migratePostgres(parseDatabaseUrl(database.url));
    const store = await openStoreAt(database.url);
    const [guild] = await store.guilds.list();
    if (guild === undefined) {
      throw new Error('the sample has no guild');
    }
    const player = { playerId: 'of both', amountUnits: 5 };
    const lastNumber = async () => {
      const [found] = await database.query<{ last: number }>(
        'SELECT last_number::int AS last FROM guild_ledger WHERE guild_no = $1',
        [guild.guildNo],
      );
      return found?.last ?? 0;
    };
    const before = await lastNumber();
    expect((await store.ledger.append(aTransaction(guild, player))).balanceUnits).toBe(5);
    expect(await postAsOlder(database, guild, { playerId: 'of both', units: 7 })).toEqual([
      { outcomes: ['posted'], balances: ['12'] },
    ]);
    const group = {
      guild: refOf(guild),
      transactions: [aTransaction(guild, player)],
      idempotency: undefined,
    };
    expect((await store.ledger.appendGroup(group))[0]?.balanceUnits).toBe(17);
    expect(await lastNumber()).toBe(before + 3);
  });

  it('are replaced when they are others than the program’s, and only then', async () => {
    const database = await createDatabase();
    onTestFinished(database.remove);
    const before = await postgresSchemaOf(database);
    await database.query(`CREATE OR REPLACE FUNCTION hold_writers() RETURNS boolean LANGUAGE sql AS 'SELECT false';
      UPDATE schema_function SET checksum = 'of another version'`);
    await expect(migratePostgres(parseDatabaseUrl(database.url), 'expect')).rejects.toThrow(
      new OperatorError('the store is of an older version: run "npx guildbook migrate" first'),
    );
    const events: UpgradeEvent[] = [];
    const migrate = () =>
      migratePostgres(parseDatabaseUrl(database.url), 'upgrade', (event) => events.push(event));
    expect(await migrate()).toEqual([]);
    expect(await postgresSchemaOf(database)).toEqual(before);
    const version = KNOWN_STEPS.postgres.length;
    const durationMs = expect.any(Number);
    expect(events).toEqual([
      { kind: 'started', from: version, to: version, steps: ['the functions'] },
      { kind: 'applied', step: 'the functions', done: 1, total: 1, durationMs },
      { kind: 'finished', from: version, to: version, durationMs },
    ]);
    await migrate();
    expect(events).toHaveLength(3);
  });
});

describe('a store from before release 0.2.0', () => {
  const refusal = (version: number) =>
    new OperatorError(
      `the store has schema version ${version}, which is older than that of Guildbook 0.2.0\n` +
        '  Upgrade it with Guildbook 0.2.0 first, then with this version. docs/upgrading.md has the commands.',
    );

  it('is refused on SQLite and stays as it is', () => {
    const file = path.join(createFolder(), 'guildbook.db');
    writeFileSync(file, readFixture('first-0.1.0.db'));
    const before = sqliteSchemaOf(file);
    expect(() => migrateSqliteFile(file)).toThrow(refusal(1));
    expect(sqliteSchemaOf(file)).toEqual(before);
  });

  it('is refused on PostgreSQL and stays as it is', async () => {
    const database = await createOlderDatabase();
    await database.query('DELETE FROM schema_migration WHERE version > 4');
    const before = await postgresSchemaOf(database);
    await expect(migratePostgres(parseDatabaseUrl(database.url))).rejects.toThrow(refusal(4));
    expect(await postgresSchemaOf(database)).toEqual(before);
  });
});
