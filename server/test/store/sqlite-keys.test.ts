import { expect, it, onTestFinished } from 'vitest';
import { aCommand, aGuild, aKey, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { changeAt } from '../support/change.ts';
import { inOneTurn } from '../support/one-turn.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

async function openWithRaw() {
  const { store, file } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const raw = openStoreFile(file);
  onTestFinished(() => raw.close());
  return { store, guild, raw };
}

it('a deleted key is refused in the very turn of the event loop in which its delete resolved', async () => {
  const { store, guild, raw } = await openWithRaw();
  const key = aKey(guild);
  await store.keys.insert(key, CHANGE);
  const live = raw.prepare('SELECT count(*) AS count FROM api_key WHERE hash IS NOT NULL');
  let deleting: Promise<boolean> = Promise.resolve(false);
  await inOneTurn(
    () => {
      void store.keys.findByHash(key.hash);
      deleting = store.keys.delete(key.keyId, CHANGE);
    },
    () => live.get()?.count === 0,
  );
  expect(await deleting).toBe(true);
  expect(await store.keys.findByHash(key.hash)).toBeUndefined();
});

it('a replaced catalogue is listed in the very turn of the event loop in which its replacement resolved', async () => {
  const { store, raw } = await openWithRaw();
  const stored = raw.prepare('SELECT count(*) AS count FROM command');
  let replacing: Promise<unknown> = Promise.resolve();
  await inOneTurn(
    () => {
      void store.commands.list();
      replacing = store.commands.replace([aCommand()], CHANGE);
    },
    () => stored.get()?.count === 1,
  );
  await replacing;
  expect(await store.commands.list()).toEqual([aCommand()]);
});

it('a deleted key loses its hash, and the transactions it posted go on naming it', async () => {
  const { store, guild, raw } = await openWithRaw();
  const key = aKey(guild);
  await store.keys.insert(key, CHANGE);
  const keyNo = (await store.keys.findByHash(key.hash))?.keyNo;
  await store.ledger.append(aTransaction(guild, { keyNo }));
  await store.keys.delete(key.keyId, changeAt(NOON_MS + 5));
  const rows = raw.prepare(
    `SELECT k.key_id AS keyId, k.hash, k.deleted_at AS deletedAt
     FROM ledger_transaction t JOIN api_key k ON k.key_no = t.key_no`,
  );
  expect(rows.all()).toEqual([{ keyId: key.keyId, hash: null, deletedAt: NOON_MS + 5 }]);
});

it('looking a key up again is answered from memory, and every change of keys empties it', async () => {
  const { store, guild } = await openWithRaw();
  const key = aKey(guild);
  await store.keys.insert(key, CHANGE);
  const first = await store.keys.findByHash(key.hash);
  expect(await store.keys.findByHash(key.hash)).toBe(first);
  await store.keys.insert(aKey(guild), CHANGE);
  const second = await store.keys.findByHash(key.hash);
  expect(second).not.toBe(first);
  expect(second).toEqual(first);
});
