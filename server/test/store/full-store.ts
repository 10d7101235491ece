import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import {
  aCommand,
  aDischarge,
  aGuild,
  aKey,
  aPastTransaction,
  aTransaction,
  aTransfer,
  aVerification,
  CHANGE,
  NOON_MS,
} from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openStoreFile } from '../support/read-store.ts';

export function openStoreOn(file: string): Promise<Store> {
  return openSqliteStore({
    file,
    onFatal(error) {
      throw error;
    },
  });
}

/** A new file that is open twice, as in two processes. */
export async function openTwice(): Promise<{ file: string; store: Store; other: Store }> {
  const file = path.join(createFolder(), 'guildbook.db');
  return { file, store: await openStoreOn(file), other: await openStoreOn(file) };
}

/** Puts some of everything into a store: two guilds, three accounts, a few records and people. */
export async function fillStore(store: Store): Promise<Guild> {
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const other = await store.guilds.set(aGuild({ guildId: 'other' }), CHANGE);
  const key = aKey(guild);
  await store.keys.insert(key, CHANGE);
  const routeLimits = [{ route: 'getVerification', limit: 60, per: 'minute' }] as const;
  await store.keys.update(key.keyId, { routeLimits }, CHANGE);
  for (const owner of [guild, other]) {
    await store.discharges.put(owner, [aDischarge(owner)], CHANGE);
    await store.transfers.put(owner, [aTransfer(owner)], CHANGE);
  }
  await store.verifications.put(
    ['1', '2', '3'].map((chatId) => aVerification({ chatId, playerId: `p${chatId}` })),
    CHANGE,
  );
  await store.verifications.put([{ chatId: '1', playerId: 'p3', username: 'Taker' }], CHANGE);
  await store.commands.replace([aCommand()], CHANGE);
  await store.ledger.import(guild, [aPastTransaction(guild, { playerId: 'old', createdAtMs: -5 })]);
  for (let index = 0; index < 5; index += 1) {
    const idempotency = { key: `k${index}`, requestHash: 'h' };
    await store.ledger.append(
      aTransaction(guild, {
        playerId: 'p',
        amountUnits: index + 1,
        createdAtMs: NOON_MS + index,
        idempotency,
      }),
    );
  }
  await store.ledger.append(aTransaction(other, { playerId: 'q' }));
  await store.ledger.claimBatch(guild, { key: 'batch', requestHash: 'h' });
  return guild;
}

/** A closed store with some of everything in it. */
export async function makeFullFile(folder: string, name = 'guildbook.db'): Promise<string> {
  const file = path.join(folder, name);
  const store = await openStoreOn(file);
  await fillStore(store);
  await store.close();
  return file;
}

/** Works on a file with no code of ours in between, and with no rule of the schema in the way that can be lifted. */
export function withRaw<Result>(file: string, work: (db: DatabaseSync) => Result): Result {
  const db = openStoreFile(file);
  try {
    db.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
    return work(db);
  } finally {
    db.close();
  }
}

/** Overwrites the first page of a table while nobody has the file open. */
export function damageTable(file: string, table: string): void {
  const { page, size } = withRaw(file, (db) => ({
    page: Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage),
    size: Number(db.prepare('PRAGMA page_size').get()?.page_size),
  }));
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  closeSync(handle);
}
