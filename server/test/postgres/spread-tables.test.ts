import { expect, it, onTestFinished } from 'vitest';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { distributePostgres } from '../../src/store/postgres/distribute.ts';
import { COORDINATOR_TABLES, GUILD_TABLES, SHARED_TABLES } from '../../src/store/postgres/spread-tables.ts';
import { createDatabase } from './database.ts';

it('every table has its place in a distributed store', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const tables = await database.query<{ name: string; isOfGuild: boolean }>(
    `SELECT t.tablename AS name, EXISTS (SELECT FROM information_schema.columns AS c
       WHERE c.table_name = t.tablename AND c.column_name = 'guild_no') AS "isOfGuild"
     FROM pg_tables AS t WHERE t.schemaname = 'public' ORDER BY 1`,
  );
  const placed = [...GUILD_TABLES, ...SHARED_TABLES, ...COORDINATOR_TABLES];
  expect(placed.toSorted()).toEqual(tables.map(({ name }) => name));
  // Guilds, boards, keys, changes of keys and webhooks are looked up across guilds.
  const ofGuild = tables.filter(
    ({ name, isOfGuild }) => isOfGuild && !/^(guild|guild_board|api_key|key_change|webhook.*)$/.test(name),
  );
  expect(GUILD_TABLES.toSorted()).toEqual(ofGuild.map(({ name }) => name));
});

it('plain PostgreSQL is not distributed, and stays as it is', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const distributing = distributePostgres(parseDatabaseUrl(database.url), () => {});
  await expect(distributing).rejects.toThrow(/is plain PostgreSQL|does not use Citus yet/);
  expect(await database.query(`SELECT to_regclass('distribution_under_way') AS mark`)).toEqual([
    { mark: null },
  ]);
});
