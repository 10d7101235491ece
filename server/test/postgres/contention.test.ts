import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import {
  aDischarge,
  aGuild,
  aKey,
  aPastTransaction,
  aQuery,
  aTransaction,
  CHANGE,
} from '../contract/specimens.ts';
import { depth } from '../support/depth.ts';
import { LONG_TEST } from '../support/patience.ts';
import { createPostgresServer, type PostgresServer } from './server.ts';
import { REAL_TIME } from './store.ts';

const STORES = 3;
const ROUNDS = depth({ normal: 20, deep: 40 });
const PLAYERS = Array.from({ length: 60 }, (_, index) => `p${index}`);

let server: PostgresServer;
let stores: Store[];
beforeAll(async () => {
  // Soon, so that a circle of waiting is found and logged instead of passing for a slow moment.
  server = await createPostgresServer({ settings: ['deadlock_timeout=10ms', 'log_lock_waits=off'] });
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query('CREATE DATABASE books');
  await client.end();
  stores = await Promise.all(
    Array.from({ length: STORES }, () => openPostgresStore({ url: server.url('books'), clock: REAL_TIME })),
  );
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await server.remove();
});

let guilds = 0;
async function foundGuild(): Promise<{ store: Store; guild: Guild }> {
  const [store] = stores;
  if (store === undefined) throw new Error('the stores are open');
  guilds += 1;
  return { store, guild: await store.guilds.set(aGuild({ guildId: `g${guilds}` }), CHANGE) };
}

/** A different order for each store and round. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  return items
    .map((item, index) => ({ item, at: Math.imul(index + 1, 2_654_435_761 + seed * 40_503) >>> 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Lets every store do the same at the same moment, round after round. */
async function inEachStore(
  rounds: number,
  work: (store: Store, seed: number) => Promise<unknown>,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(stores.map((store, index) => work(store, round * STORES + index)));
  }
}

describe('instances that write at the same moment', LONG_TEST, () => {
  it('post to the same accounts in any order, known and new, without waiting in a circle', async () => {
    const { store, guild } = await foundGuild();
    const posts = ROUNDS * STORES * (PLAYERS.length + 2);
    await inEachStore(ROUNDS, (one, seed) =>
      Promise.all(
        shuffled([...PLAYERS, `new ${seed % 10}`, `new ${(seed + 1) % 10}`], seed).map((playerId) =>
          one.ledger.append(aTransaction(guild, { playerId, amountUnits: 1 })),
        ),
      ),
    );
    expect(await store.ledgerViews.totals(guild)).toMatchObject({
      balanceUnits: BigInt(posts),
      transactions: posts,
    });
    expect(server.log()).not.toMatch(/deadlock/i);
  });

  it('import and post into the same accounts, and change records, keys and the guild meanwhile', async () => {
    const { store, guild } = await foundGuild();
    await inEachStore(depth({ normal: 6, deep: 12 }), async (one, seed) => {
      const past = shuffled(PLAYERS, seed).map((playerId) =>
        aPastTransaction(guild, { playerId, amountUnits: 1, createdAtMs: Date.parse('2026-06-15') + seed }),
      );
      const posts = shuffled(PLAYERS, seed + 7).map((playerId) =>
        one.ledger.append(
          aTransaction(guild, { playerId, amountUnits: 1, createdAtMs: Date.parse('2026-06-15') + seed }),
        ),
      );
      const key = aKey(guild);
      await Promise.all([
        one.ledger.import(guild, past),
        ...posts,
        one.ledger.append(aTransaction(guild, { playerId: 'p0', amountUnits: 1, postedBy: 'me' })),
        one.discharges.put(guild, [aDischarge(guild, { id: 'a', reason: `${seed}` })], CHANGE),
        one.guilds.set({ guildId: guild.guildId, name: `${seed}`, defaultPlan: 'none' }, CHANGE),
        one.keys.insert(key, CHANGE).then(() => one.keys.delete(key.keyId, CHANGE)),
        one.keys.touch(
          [1, 2, 3, 4].map((keyNo) => ({ keyNo: seed % 2 === 0 ? keyNo : 5 - keyNo, usedAtMs: seed })),
        ),
      ]);
    });
    const entries = await store.audit.list(guild, { limit: 1_000 });
    expect(entries.map(({ entryNo }) => entryNo).sort((a, b) => b - a)).toEqual(
      entries.map((_, index) => entries.length - index),
    );
    const { transactions } = await store.ledgerViews.totals(guild);
    const [first, ...others] = await Promise.all(
      PLAYERS.map(async (playerId) => (await store.ledger.list(guild, playerId, aQuery())).total),
    );
    expect(transactions).toBe(others.reduce((sum, count) => sum + count, first ?? 0));
    expect(server.log()).not.toMatch(/deadlock/i);
  });

  it('use one idempotency key for different players: one is posted, and the others hear of it', async () => {
    const { store, guild } = await foundGuild();
    const rounds = depth({ normal: 20, deep: 60 });
    const outcomes: { transactionId: string; replayed: boolean }[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const idempotency = { key: `k${round}`, requestHash: 'h' };
      outcomes.push(
        await Promise.all(
          stores.map((one, index) =>
            one.ledger.append(aTransaction(guild, { playerId: `p${index}`, idempotency })),
          ),
        ),
      );
    }
    for (const answers of outcomes) {
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(1);
    }
    expect((await store.ledgerViews.totals(guild)).transactions).toBe(rounds);
  });

  it('found one guild: it is made once, and all changes count', async () => {
    const made = await Promise.all(
      stores.map((one, index) =>
        one.guilds.set(aGuild({ guildId: 'same', name: 'Same', ...(index === 1 && { icon: 'i' }) }), CHANGE),
      ),
    );
    expect(new Set(made.map(({ guildNo }) => guildNo)).size).toBe(1);
    expect(await stores[0]?.guilds.find('same')).toMatchObject({ icon: 'i', name: 'Same' });
  });
});
