import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import type { UpgradeEvent } from '../../src/store/operations/migrate.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { printPostgresMigrations } from '../../src/store/postgres/upgrade-script.ts';
import { aDischarge, aGuild, anAttempt, aTransaction, CHANGE } from '../contract/specimens.ts';
import { postgresSchemaOf } from '../store/schema-text.ts';
import { KNOWN_STEPS, OLDER_VERSION } from '../support/older-store.ts';
import { createDatabase } from './database.ts';
import { createOlderDatabase } from './older-database.ts';
import { createPostgresServer } from './server.ts';
import { openOwnStore, openStoreAt, REAL_TIME } from './store.ts';

async function createEmptyDatabase() {
  const database = await createDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  return database;
}

describe('opening', () => {
  it('is refused with a reason when the server would lose acknowledged posts', async () => {
    const server = await createPostgresServer({ settings: ['fsync=off'] });
    onTestFinished(server.remove);
    const opening = openPostgresStore({ url: server.url('postgres'), clock: REAL_TIME });
    await expect(opening).rejects.toThrow(
      new OperatorError(
        'the PostgreSQL server runs with fsync=off and would lose acknowledged posts: turn it on',
      ),
    );
  });

  it('is refused with a reason when the database does not hold every text', async () => {
    const database = await createEmptyDatabase();
    const latin = `${database.name}_latin`;
    await database.query(
      `CREATE DATABASE ${latin} ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
    );
    // The server may take its time to end the connection that was refused.
    onTestFinished(async () => void (await database.query(`DROP DATABASE ${latin} WITH (FORCE)`)));
    const url = new URL(database.url);
    url.pathname = latin;
    const opening = openPostgresStore({ url: url.href, clock: REAL_TIME });
    await expect(opening).rejects.toThrow(
      new OperatorError('the database must have the encoding UTF8, it has LATIN1'),
    );
  });

  it('says what cannot be reached, without the password', async () => {
    const url = 'postgres://clerk:secret-word@127.0.0.1:1/books';
    const error = await openPostgresStore({ url, clock: REAL_TIME }).catch((reason) => reason);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toContain('the PostgreSQL database books at 127.0.0.1:1 cannot be used: ');
    expect(error.message).not.toContain('secret-word');
  });

  it.each([
    ['postgres://h/d?pooler=session', 'DATABASE_URL: pooler must be transaction'],
    ['postgres://h/d?connections=0', 'DATABASE_URL: connections must be an integer from 1 to 500'],
    ['postgres://h/d?connections=many', 'DATABASE_URL: connections must be an integer from 1 to 500'],
  ])('%s is refused', (url, message) => {
    expect(() => parseDatabaseUrl(url)).toThrow(new OperatorError(message));
  });
});

describe('migrating', () => {
  it('instances that open one new database at the same moment all succeed, and each step is taken once', async () => {
    const database = await createEmptyDatabase();
    const stores = await Promise.all(Array.from({ length: 10 }, () => openStoreAt(database.url)));
    await Promise.all(stores.map((store) => store.check()));
    const steps = await database.query('SELECT version FROM schema_migration ORDER BY version');
    expect(steps.map(({ version }) => Number(version))).toEqual(steps.map((_, index) => index + 1));
    expect(await migratePostgres(parseDatabaseUrl(database.url))).toEqual([]);
  });

  it('each step is reported once it is applied, with its place among those that were missing', async () => {
    const database = await createOlderDatabase();
    const events: UpgradeEvent[] = [];
    const steps = await migratePostgres(parseDatabaseUrl(database.url), 'upgrade', (event) =>
      events.push(event),
    );
    const names = [...steps.map(({ version, name }) => `${version} ${name}`), 'the functions'];
    const total = names.length;
    const versions = { from: OLDER_VERSION.postgres, to: KNOWN_STEPS.postgres.length };
    expect(events).toEqual([
      { kind: 'started', ...versions, steps: names },
      ...names.map((step, index) => {
        return { kind: 'applied', step, done: index + 1, total, durationMs: expect.any(Number) };
      }),
      { kind: 'finished', ...versions, durationMs: expect.any(Number) },
    ]);
    expect(steps).toHaveLength(versions.to - versions.from);
    expect(
      await migratePostgres(parseDatabaseUrl(database.url), 'upgrade', (event) => events.push(event)),
    ).toEqual([]);
    expect(events).toHaveLength(total + 2);
  });

  it('the printed script makes the same store', async () => {
    const [printed, migrated] = [await createEmptyDatabase(), await createEmptyDatabase()];
    await printed.query(printPostgresMigrations());
    await migratePostgres(parseDatabaseUrl(migrated.url));
    expect(await postgresSchemaOf(printed)).toEqual(await postgresSchemaOf(migrated));
    expect(await migratePostgres(parseDatabaseUrl(printed.url))).toEqual([]);
  });

  it('a step that fails leaves nothing of itself, and says which it was', async () => {
    const database = await createEmptyDatabase();
    await database.query('CREATE TABLE transfer (recipe text)');
    await expect(migratePostgres(parseDatabaseUrl(database.url))).rejects.toThrow(
      /^making the whole schema failed, nothing of it remains: relation "transfer" already exists$/,
    );
    expect(await database.query(`SELECT to_regclass('guild') AS guild`)).toEqual([{ guild: null }]);
  });

  it('a store of a newer program is refused', async () => {
    const database = await createEmptyDatabase();
    await migratePostgres(parseDatabaseUrl(database.url));
    await database.query(`INSERT INTO schema_migration VALUES (99, 'future', 'c', 0)`);
    await expect(openPostgresStore({ url: database.url, clock: REAL_TIME })).rejects.toThrow(
      /schema version/,
    );
  });
});

describe('the schema', () => {
  it('compares every text byte by byte', async () => {
    const { database } = await openOwnStore();
    const careless = await database.query(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
    );
    expect(careless).toEqual([]);
  });

  it('leads with the guild’s number in every key of what a guild owns', async () => {
    const { database } = await openOwnStore();
    const keys = await database.query<{ table: string; column: string }>(
      `SELECT i.indrelid::regclass::text AS table, a.attname AS column FROM pg_index i
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
       WHERE i.indisunique AND EXISTS (SELECT 1 FROM pg_attribute g
         WHERE g.attrelid = i.indrelid AND g.attname = 'guild_no')
         AND i.indrelid::regclass::text NOT LIKE 'pg_%'`,
    );
    // Keys are found by their hash in all guilds, guilds by their id, boards by their name, and changes of keys by their number: no
    // guild owns these tables.
    const shared = ['guild', 'api_key', 'key_change', 'guild_board'];
    const owned = keys.filter(({ table }) => !shared.includes(table));
    expect(owned.length).toBeGreaterThan(8);
    expect(new Set(owned.map(({ column }) => column))).toEqual(new Set(['guild_no']));
  });
});

describe('a write', () => {
  it('waits for the disk, whatever the server’s own setting and the address say', async () => {
    const { store, database } = await openOwnStore();
    const [{ setting } = { setting: 'unknown' }] = await database.query<{ setting: string }>(
      `SELECT current_setting('synchronous_commit') AS setting`,
    );
    expect(setting, 'the harness turned it off').toBe('off');
    await database.query(`CREATE TABLE seen (setting text);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
      CREATE TRIGGER note BEFORE INSERT ON ledger_transaction FOR EACH ROW EXECUTE FUNCTION note();
      CREATE TRIGGER note BEFORE INSERT ON discharge FOR EACH ROW EXECUTE FUNCTION note();
      CREATE TRIGGER note BEFORE INSERT ON sign_in_attempt FOR EACH ROW EXECUTE FUNCTION note()`);
    const careless = new URL(database.url);
    careless.searchParams.set('options', '-c synchronous_commit=off');
    const guild = await store.guilds.set(aGuild(), CHANGE);
    for (const one of [
      store,
      await openStoreAt(careless.href),
      await openStoreAt(`${database.url}&pooler=transaction`),
    ]) {
      await one.ledger.append(aTransaction(guild));
      await one.discharges.put(guild, [aDischarge(guild, { id: String(Math.random()) })], CHANGE);
      await one.sessions.insertAttempt(anAttempt());
    }
    const seen = await database.query<{ setting: string }>('SELECT setting FROM seen');
    expect(seen).toEqual(Array.from({ length: 9 }, () => ({ setting: 'on' })));
  });

  it('works without listening to anybody where connections are lent out for one transaction', async () => {
    // No other store was ever open on it: the server may list connections that ended for some time.
    const database = await createDatabase();
    onTestFinished(database.remove);
    const pooled = await openStoreAt(`${database.url}&pooler=transaction&connections=1`);
    const guild = await pooled.guilds.set(aGuild(), CHANGE);
    await pooled.ledger.append(aTransaction(guild));
    const sessions = await database.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'guildbook' AND datname = current_database()`,
    );
    expect(sessions.length).toBeGreaterThan(0);
    expect(sessions.filter(({ query }) => query.startsWith('LISTEN'))).toEqual([]);
  });
});

it('numbers that a number does not hold exactly are a defect, never rounded', async () => {
  const { store, database } = await openOwnStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await database.query(`UPDATE guild SET plan_until = 9007199254740993`);
  await expect(store.guilds.find(guild.guildId)).rejects.toMatchObject({ code: 'internal' });
  expect(
    pg.types.getTypeParser(pg.types.builtins.INT8)('7'),
    'other users of the driver are not affected',
  ).toBe('7');
});
