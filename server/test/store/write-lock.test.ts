import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { createFolder } from '../support/folder.ts';

/** Opens a file whose write lock another connection takes and holds for some milliseconds. */
async function openHeldFile(heldMs: number): Promise<DatabaseSync> {
  const file = `${createFolder()}/held.db`;
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE row (value)');
  const holder = new Worker(
    `const { DatabaseSync } = require('node:sqlite');
     const { parentPort, workerData } = require('node:worker_threads');
     const db = new DatabaseSync(workerData.file);
     db.exec('BEGIN IMMEDIATE; INSERT INTO row VALUES (1)');
     parentPort.postMessage('held');
     setTimeout(() => db.exec('COMMIT'), workerData.heldMs);`,
    { eval: true, workerData: { file, heldMs } },
  );
  await new Promise((resolve) => holder.once('message', resolve));
  return db;
}

it('waits for another connection that writes, and sees its commit', async () => {
  const db = await openHeldFile(50);
  const lock = createWriteLock(db);
  expect(() => db.exec('BEGIN IMMEDIATE')).toThrow('database is locked');
  lock.begin();
  expect(db.prepare('SELECT count(*) AS rows FROM row').get()).toEqual({ rows: 1 });
  db.exec('COMMIT');
  lock.ended();
  db.close();
});

it('throws at once what is no lock of others', () => {
  const db = new DatabaseSync(':memory:');
  const lock = createWriteLock(db);
  lock.begin();
  expect(() => lock.begin()).toThrow('cannot start a transaction within a transaction');
  db.close();
});

it('throws that the file is locked when others hold it for five seconds', async () => {
  const db = await openHeldFile(60_000);
  expect(() => createWriteLock(db).begin()).toThrow('database is locked');
  db.close();
});
