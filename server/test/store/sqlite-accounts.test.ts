import { randomUUIDv7 } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, aPastTransaction, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openStoreOn } from './full-store.ts';

// The writer thread keeps accounts between its commits. These tests are about what else may change an account meanwhile.

let store: Store;
let other: Store;
beforeAll(async () => {
  const file = path.join(createFolder(), 'guildbook.db');
  store = await openStoreOn(file);
  other = await openStoreOn(file);
});
afterAll(() => Promise.all([store.close(), other.close()]));

const createGuild = (): Promise<Guild> =>
  store.guilds.set(aGuild({ guildId: randomUUIDv7(), overdraftAllowed: false }), CHANGE);

async function post(through: Store, guild: Guild, amountUnits: number): Promise<number> {
  return (await through.ledger.append(aTransaction(guild, { amountUnits }))).balanceUnits;
}

it('two processes that post to one account in turn each see what the other posted', async () => {
  const guild = await createGuild();
  const balances: number[] = [];
  for (const through of [store, other, store, store, other, other, store]) {
    balances.push(await post(through, guild, 10));
  }
  expect(balances).toEqual([10, 20, 30, 40, 50, 60, 70]);
});

it('a floor that another process sets holds for the next post', async () => {
  const guild = await createGuild();
  const { playerId } = aTransaction(guild);
  await post(store, guild, 100);
  await other.ledger.setFloor(guild, { playerId, floorUnits: 90 }, CHANGE);
  await expect(post(store, guild, -11)).rejects.toMatchObject({ code: 'overdraft' });
  expect(await post(store, guild, -10)).toBe(90);
});

it('an import leaves the floor of an account as it is, for a post of the same commit too', async () => {
  const guild = await createGuild();
  const { playerId } = aTransaction(guild);
  await post(store, guild, 100);
  await store.ledger.setFloor(guild, { playerId, floorUnits: 50 }, CHANGE);
  const past = aPastTransaction(guild, { playerId, amountUnits: 10, createdAtMs: NOON_MS + 1 });
  // The first is committed alone, and those that come meanwhile together.
  const [, , refused] = await Promise.allSettled([
    post(store, guild, 1),
    store.ledger.import(guild, [past]),
    post(store, guild, -100),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'overdraft' } });
  expect(await post(store, guild, -61)).toBe(50);
});

it('what is undone leaves no trace in the accounts that are kept', async () => {
  const guild = await createGuild();
  await post(store, guild, 100);
  const undone = store.allOrNothing(async () => {
    await post(store, guild, 1_000);
    throw new Error('undo it');
  });
  await expect(undone).rejects.toThrow('undo it');
  expect(await post(store, guild, 1)).toBe(101);
});
