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

async function postToAll(
  store: Store,
  guild: Guild,
  count: number,
  createdAtMs: number,
  first = 0,
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      store.ledger.append(
        aTransaction(guild, {
          playerId: `p${first + index}`,
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

it('posts to accounts that move often write no index entries', async () => {
  const { store, database } = await openOwnStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  for (let round = 0; round < 600; round += 1) {
    // Ten accounts of a page in one statement leave room for the next versions of their rows.
    await postToAll(store, guild, 10, Date.now(), 10 * (round % 10));
  }
  await store.close();
  const readUpdates = async () => {
    const [row] = await database.query<{ all: number; hot: number }>(
      `SELECT n_tup_upd::float8 AS all, n_tup_hot_upd::float8 AS hot FROM pg_stat_user_tables WHERE relname = 'account'`,
    );
    return row ?? { all: 0, hot: 0 };
  };
  await untilTrue(async () => (await readUpdates()).all > 0);
  const { all, hot } = await readUpdates();
  expect(hot).toBeGreaterThan(0.95 * all);
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
