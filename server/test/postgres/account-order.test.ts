import { randomUUIDv7 } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, aTransaction, CHANGE } from '../contract/specimens.ts';
import { untilTrue } from '../support/patience.ts';
import type { TestDatabase } from './database.ts';
import { openOwnStore } from './store.ts';

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
