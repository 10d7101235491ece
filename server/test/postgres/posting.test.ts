import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, aQuery, aTransaction, CHANGE, domainError } from '../contract/specimens.ts';
import { untilTrue } from '../support/patience.ts';
import type { TestDatabase } from './database.ts';
import { readCounts } from './row-counts.ts';
import { openOwnStore, openStoreAt } from './store.ts';

function foundGuilds(store: Store, count: number): Promise<Guild[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => store.guilds.set(aGuild({ guildId: `g${index}` }), CHANGE)),
  );
}

async function foundGuild(store: Store): Promise<Guild> {
  return store.guilds.set(aGuild(), CHANGE);
}

/** Somebody who holds the ledger of a guild until it is released. */
async function holdLedger({ url }: TestDatabase, { guildNo }: Guild) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(`SELECT lock_ledgers(ARRAY[${guildNo}::bigint], true)`);
  return { release: () => client.query('ROLLBACK') };
}

const transactionsOf = ({ query }: TestDatabase) =>
  query('SELECT DISTINCT xmin::text FROM ledger_transaction');

it('posts of many guilds that come together are one transaction', async () => {
  const { store, database } = await openOwnStore();
  const guilds = await foundGuilds(store, 50);
  await Promise.all(guilds.map((guild) => store.ledger.append(aTransaction(guild))));
  expect(await transactionsOf(database)).toHaveLength(1);
});

it('a refused post and a defect in one guild leave the posts of all others alone', async () => {
  const { store } = await openOwnStore();
  const [strict, broken, ...others] = await foundGuilds(store, 5);
  if (strict === undefined || broken === undefined) throw new Error('five guilds were made');
  await store.guilds.set({ guildId: strict.guildId, overdraftAllowed: false, defaultPlan: 'none' }, CHANGE);
  const results = await Promise.allSettled([
    store.ledger.append(aTransaction(strict, { amountUnits: -1 })),
    // A type-correct caller cannot make a statement fail, so the post is spoilt behind the compiler's back.
    store.ledger.append(aTransaction(broken, { name: null as unknown as string })),
    store.ledger.append(aTransaction(broken)),
    store.ledger.append(aTransaction({ guildNo: 99, guildId: 'nowhere' })),
    ...others.map((guild) => store.ledger.append(aTransaction(guild))),
  ]);
  expect(results.map((one) => (one.status === 'rejected' ? one.reason.code : one.status))).toEqual([
    'overdraft',
    'internal',
    'fulfilled',
    'internal',
    ...others.map(() => 'fulfilled'),
  ]);
  for (const guild of [broken, ...others]) {
    expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(1);
  }
});

it('posts of a guild whose ledger is held wait, and those of others do not', async () => {
  const { store, database } = await openOwnStore();
  const [busy, ...others] = await foundGuilds(store, 4);
  if (busy === undefined) throw new Error('four guilds were made');
  const holder = await holdLedger(database, busy);
  const waiting = [1, 2].map(() => store.ledger.append(aTransaction(busy)));
  await Promise.all(others.map((guild) => store.ledger.append(aTransaction(guild))));
  await Promise.all(others.map((guild) => store.ledger.append(aTransaction(guild))));
  expect((await store.ledger.list(busy, '48213977', aQuery())).total).toBe(0);
  await holder.release();
  await Promise.all(waiting);
  expect((await store.ledger.list(busy, '48213977', aQuery())).total).toBe(2);
});

it('posts of a guild whose ledger is held too long are refused as unavailable, and counted nowhere', async () => {
  const { store, database } = await openOwnStore();
  const busy = await foundGuild(store);
  const holder = await holdLedger(database, busy);
  await expect(store.ledger.append(aTransaction(busy))).rejects.toMatchObject(
    domainError('store_unavailable'),
  );
  await holder.release();
  expect((await store.ledger.append(aTransaction(busy))).balanceUnits).toBe(aTransaction(busy).totalUnits);
});

/** The arguments that all append functions share, for one post of the player p. */
const onePost = ({ guildNo }: Guild) => `true, '{}', '{}', '{}', '{}', '{}', '{}',
  ARRAY[${guildNo}], '{1}', '{p}', '{}', '{}',
  '{1}', '{0}', '{NULL}', '{id}', '{1}', '{1}', '{1}', '{n}', '{s}', '{NULL}', '{1}', '{NULL}', '{}',
  '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'`;

describe('through a pooler a post is on disk too, and waits no longer for a lock than elsewhere', () => {
  it.each<[string, (guild: Guild) => string]>([
    ['a post', (guild) => `post_transactions(${onePost(guild)})`],
    [
      'a post of one guild',
      (guild) => `append_guild_transactions(${guild.guildNo}, '{1000}', ${onePost(guild)})`,
    ],
    [
      'a correction',
      (guild) => `append_correction(${guild.guildNo}, 1, 'me', '{"{}"}', '{1000}', ${onePost(guild)})`,
    ],
  ])('%s', async (_, call) => {
    const { store, database } = await openOwnStore();
    const guild = await foundGuild(store);
    const settings = `SELECT current_setting('synchronous_commit') AS durability, current_setting('lock_timeout') AS wait`;
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`SET synchronous_commit = off; SET lock_timeout = 0; BEGIN`);
    await client.query(`SELECT ${call(guild)}`);
    expect((await client.query(settings)).rows).toEqual([{ durability: 'on', wait: '4s' }]);
    await client.query('COMMIT');
    expect((await client.query(settings)).rows).toEqual([{ durability: 'off', wait: '0' }]);
    expect((await store.ledger.list(guild, 'p', aQuery())).total).toBe(1);
  });
});

it('an import of the version before, which does not lock the ledger, loses no post and no balance', async () => {
  const { store, database } = await openOwnStore();
  const guild = await foundGuild(store);
  await store.ledger.append(aTransaction(guild, { amountUnits: 1, playerId: 'known' }));
  const older = new pg.Client({ connectionString: database.url });
  await older.connect();
  onTestFinished(() => older.end());
  // The statements of such an import for a known and a new account. Posts to both accounts come before its commit.
  await older.query(`BEGIN; UPDATE account SET balance = balance + 5, transaction_count = transaction_count + 1;
    INSERT INTO account VALUES (${guild.guildNo}, 1000, 'new', 5, 1, 0);
    INSERT INTO ledger_transaction SELECT guild_no, account_no, transaction_count, 'id' || account_no, 5, 1, 5, 'n', 's',
      balance, NULL, last_created_at, NULL FROM account`);
  const posts = ['known', 'new'].map((playerId) =>
    store.ledger.append(aTransaction(guild, { amountUnits: 1, playerId })),
  );
  const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE '%post_transactions%'`;
  await untilTrue(async () => (await database.query(isWaiting)).length > 0);
  await older.query('COMMIT');
  expect((await Promise.all(posts)).map(({ balanceUnits }) => balanceUnits)).toEqual([7, 6]);
});

it('posts to guilds that an instance of the version before has made are counted from the first on', async () => {
  const { store, database } = await openOwnStore();
  const guilds = await foundGuilds(store, 3);
  await database.query('DELETE FROM guild_ledger');
  for (const expected of [1, 2]) {
    const posts = guilds.map((guild) => store.ledger.append(aTransaction(guild, { amountUnits: 1 })));
    expect((await Promise.all(posts)).map(({ balanceUnits }) => balanceUnits)).toEqual(
      guilds.map(() => expected),
    );
  }
  expect(await database.query('SELECT * FROM guild_ledger')).toHaveLength(guilds.length);
});

it('two stores that post to one guild without pause take turns', async () => {
  const { store, database } = await openOwnStore();
  const other = await openStoreAt(database.url);
  const guild = await foundGuild(store);
  const posts = 200;
  async function postAlong(one: Store): Promise<void> {
    for (let count = 0; count < posts; count += 4) {
      await Promise.all([1, 2, 3, 4].map(() => one.ledger.append(aTransaction(guild, { amountUnits: 1 }))));
    }
  }
  await Promise.all([store, store, other, other].map(postAlong));
  const { total } = await store.ledger.list(guild, '48213977', aQuery());
  expect(total).toBe(4 * posts);
});

it('a post reads no more rows in a guild that grew since its statements were planned, without new statistics', async () => {
  const { store, database } = await openOwnStore();
  const guild = await foundGuild(store);
  const post = (playerId: string, key: string) =>
    store.ledger.append(aTransaction(guild, { playerId, idempotency: { key, requestHash: 'h' } }));
  // Emptiness that the server is sure of is the worst of statistics: to the planner all indexes look alike.
  await database.query('VACUUM ANALYZE');
  for (const table of ['account', 'ledger_transaction', 'idempotency']) {
    await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  }
  for (let index = 0; index < 10; index += 1) {
    await post(`p${index}`, `k${index}`);
    await post(`p${index}`, `k${index}`);
  }
  await database.query(`
    INSERT INTO account SELECT ${guild.guildNo}, 1000 + n, 'many' || n, 1, 1, 0 FROM generate_series(1, 5000) n;
    INSERT INTO ledger_transaction SELECT ${guild.guildNo}, account_no, 1, 'id' || account_no, 1, 1, 1, 'n', 's', 1, NULL,
      0, NULL, 100000 + account_no FROM account WHERE account_no > 1000;
    INSERT INTO idempotency SELECT ${guild.guildNo}, 'many' || account_no, 'h', account_no, 1 FROM account
      WHERE account_no > 1000`);
  const before = await readCounts(database, 'open');
  const posts = 50;
  for (let index = 0; index < posts; index += 1) {
    await post(`new${index}`, `new${index}`);
    await post(`many${index}`, `known${index}`);
    await post(`many${index}`, `known${index}`);
  }
  await store.close();
  const after = await readCounts(database, 'closed');
  const read = (places: RegExp) =>
    [...after].reduce(
      (sum, [place, count]) => sum + (places.test(place) ? count - (before.get(place) ?? 0) : 0),
      0,
    );
  expect(read(/^(account|ledger_transaction|idempotency|guild_day|guild_day_source)$/)).toBe(0);
  expect(read(/^(account|ledger|idempotency)_/)).toBeGreaterThan(posts);
  expect(read(/^(account|ledger|idempotency)_/)).toBeLessThan(20 * posts);
});
