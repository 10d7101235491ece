import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { aGuild, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { SAMPLE_SECRET_KEY } from '../support/older-store.ts';
import { untilTrue } from '../support/patience.ts';
import type { TestDatabase } from './database.ts';
import { createOlderDatabase, postAsOlder } from './older-database.ts';
import { openOwnStore, openStoreAt } from './store.ts';

/** More than may stay out of the order, and more than one batch beyond. */
const ACCOUNTS = 600;
const MOVING_MAX = 50;

async function postToAll(store: Store, guild: Guild, count: number, createdAtMs: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      store.ledger.append(
        aTransaction(guild, {
          playerId: `p${index}`,
          transactionId: randomUUIDv7(),
          amountUnits: 1 + (index % 7),
          createdAtMs,
        }),
      ),
    ),
  );
}

async function readMoving({ query }: TestDatabase): Promise<number> {
  const [row] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM account WHERE ordered_balance IS NULL',
  );
  return row?.count ?? 0;
}

const listAll = async (store: Store, guild: Guild) =>
  (await store.entries.balances(guild, { sortOrder: 'desc', limit: ACCOUNTS, after: undefined })).accounts;

it('no index has a column that a post to an account that moves often changes', async () => {
  const { store, database } = await openOwnStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const read = () =>
    database.query<Record<string, unknown>>(
      "SELECT * FROM account WHERE player_id = 'p0' AND guild_no = $1",
      [guild.guildNo],
    );
  await postToAll(store, guild, 1, Date.now());
  await postToAll(store, guild, 1, Date.now());
  const [before = {}] = await read();
  await postToAll(store, guild, 1, Date.now() + 1);
  const [after = {}] = await read();
  const changed = Object.keys(after).filter((column) => after[column] !== before[column]);
  expect(changed).toEqual(expect.arrayContaining(['balance', 'transaction_count', 'last_created_at']));
  const indexed = await database.query<{ name: string }>(
    `SELECT DISTINCT a.attname AS name FROM pg_index AS i JOIN pg_attribute AS a
       ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indrelid = 'account'::regclass`,
  );
  expect(changed.filter((column) => indexed.some(({ name }) => name === column))).toEqual([]);
});

it('an account that has not moved for a minute keeps its place, one that moves again leaves it', async () => {
  const { store, database } = await openOwnStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const startMs = Date.now();
  await postToAll(store, guild, 3, startMs);
  expect(await readMoving(database)).toBe(0);
  await postToAll(store, guild, 2, startMs + 60_000);
  expect(await readMoving(database)).toBe(0);
  await postToAll(store, guild, 1, startMs + 60_001);
  expect(await readMoving(database)).toBe(1);
});

it('a list by balance settles accounts that have not moved for a minute, except fifty', async () => {
  const { store, database } = await openOwnStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const oldMs = Date.now() - 3_600_000;
  await postToAll(store, guild, ACCOUNTS, oldMs);
  await postToAll(store, guild, ACCOUNTS, oldMs + 1);
  await postToAll(store, guild, 20, Date.now());
  await postToAll(store, guild, 20, Date.now());
  expect(await readMoving(database)).toBe(ACCOUNTS);
  const before = await listAll(store, guild);
  await untilTrue(async () => (await readMoving(database)) === MOVING_MAX + 20);
  expect(await listAll(store, guild)).toEqual(before);
  expect(before).toHaveLength(ACCOUNTS);
});

describe('beside instances of release 0.2.0, which do not know the order of balances', () => {
  async function createUpgraded(isFinished: boolean): Promise<TestDatabase> {
    const database = await createOlderDatabase();
    if (isFinished) {
      const env = { DATABASE_URL: database.url, SECRET_KEY: SAMPLE_SECRET_KEY };
      const migrated = await runInShared(['migrate'], { cwd: createFolder(), env });
      expect(migrated).toMatchObject({ status: 0, stderr: '' });
    } else {
      await migratePostgres(parseDatabaseUrl(database.url));
    }
    return database;
  }

  it.each([
    ['before the steps in the background', false],
    ['after the steps in the background', true],
  ])('lists by balance are in order %s', async (_when, isFinished) => {
    const database = await createUpgraded(isFinished);
    const store = await openStoreAt(database.url, { schema: 'expect' });
    const [guild] = await store.guilds.list();
    if (guild === undefined) {
      throw new Error('the sample has no guild');
    }
    const postBefore = async (playerId: string, units: number, createdAtMs: number) => {
      const posted = await postAsOlder(database, guild, { playerId, units, createdAtMs });
      expect(posted[0]?.outcomes).toEqual(['posted']);
    };
    const ofTable = await database.query<{ playerId: string }>(
      'SELECT player_id AS "playerId" FROM account WHERE guild_no = $1 ORDER BY account_no LIMIT 1',
      [guild.guildNo],
    );
    const present = ofTable[0]?.playerId ?? '';
    // Accounts that stay in the order, leave it, and are not in it yet, each with another place after its last post.
    for (const [playerId, stepMs] of [
      ['settled', 60_000],
      ['moving', 1],
      [present, 1],
    ] as const) {
      await postBefore(playerId, 1, NOON_MS);
      await postBefore(playerId, 7_000_000_000, NOON_MS + stepMs);
    }
    const ours = { playerId: 'of both', createdAtMs: NOON_MS };
    await store.ledger.append(aTransaction(guild, { ...ours, amountUnits: 3 }));
    await postBefore('of both', 9_000_000_000, NOON_MS + 60_000);
    const expected = await database.query<{ playerId: string; balanceUnits: number }>(
      `SELECT player_id AS "playerId", balance::float8 AS "balanceUnits" FROM account WHERE guild_no = $1
       ORDER BY balance DESC, account_no DESC`,
      [guild.guildNo],
    );
    const [first] = expected;
    expect(first).toEqual({ playerId: 'of both', balanceUnits: 9_000_000_003 });
    const listed = (await listAll(store, guild)).map(({ playerId, balanceUnits }) => ({
      playerId,
      balanceUnits,
    }));
    expect(listed).toEqual(expected);
  });
});
