import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Discharge, Transfer } from '../../src/domain/model.ts';
import { loadMigrations } from '../../src/store/migrate.ts';
import { verifySqliteFile } from '../../src/store/sqlite/backup.ts';
import { aDischarge, aGuild, aTransfer, CHANGE } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openStoreOn, withRaw } from './full-store.ts';

const GUILD = { guildNo: 1, guildId: aGuild().guildId };
const NAMES = [
  'Rowan Vale',
  'ÉLODIE',
  'İstanbul',
  'ΟΔΥΣΣΕΥΣ Σ',
  'ẞtraße',
  'نور',
  '🛡 Shield',
  ' zoë ',
  'O\'Hara "x"',
];
const DATES = [
  '2026-03-04',
  '2026-03-04T05:06:07Z',
  '2026-03-04T01:00:00.5+05:30',
  '0001-01-01',
  '1969-12-31',
];

const DISCHARGES: Discharge[] = NAMES.flatMap((name, index) =>
  DATES.map((date) =>
    aDischarge(GUILD, {
      id: `D ${index} ${date}`,
      chatId: `Chat-${index}`,
      playerId: `P${index}`,
      name,
      date,
    }),
  ),
);
const TRANSFERS: Transfer[] = NAMES.map((name, index) =>
  aTransfer(GUILD, { id: `T-Ä-${index}`, playerId: `P${index}`, name }),
);

/** A file as version 3 of the schema made it, with records in it. */
function makeVersionThree(file: string): void {
  const steps = loadMigrations(new URL('../../src/store/sqlite/migrations/', import.meta.url)).slice(0, 3);
  withRaw(file, (db) => {
    db.exec(`PRAGMA application_id = ${0x47424b31}; PRAGMA journal_mode = WAL`);
    db.exec(`CREATE TABLE schema_migration (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`);
    for (const { version, name, checksum, sql } of steps) {
      db.exec(sql);
      db.prepare('INSERT INTO schema_migration VALUES (?, ?, ?, 0)').run(version, name, checksum);
    }
    db.exec(`INSERT INTO guild (guild_no, guild_id, name, plan, overdraft_allowed, created_at)
      VALUES (1, '${GUILD.guildId}', 'Old', 'none', 1, 0)`);
    insertOldRecords(db);
  });
}

function insertOldRecords(db: DatabaseSync): void {
  const discharge = db.prepare('INSERT INTO discharge VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const { id, chatId, playerId, name, reason, date, type, from, signed } of DISCHARGES) {
    discharge.run(id, chatId, playerId, name, reason, date, type, from, signed);
  }
  const transfer = db.prepare('INSERT INTO transfer VALUES (1, ?, ?, ?, ?, ?, ?, ?)');
  for (const { id, playerId, name, date, from, to, signed } of TRANSFERS) {
    transfer.run(id, playerId, name, Date.parse(date), from, to, signed);
  }
}

function rowsOf(file: string): unknown[] {
  return withRaw(file, (db) =>
    ['discharge', 'transfer'].map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()),
  );
}

it('records of an older store are sorted and searched as if they had been written today', async () => {
  const folder = createFolder();
  const old = path.join(folder, 'old.db');
  makeVersionThree(old);
  expect(verifySqliteFile(old, () => {})).toEqual([]);
  await (await openStoreOn(old)).close();

  const fresh = path.join(folder, 'fresh.db');
  const store = await openStoreOn(fresh);
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.discharges.put(guild, DISCHARGES, CHANGE);
  await store.transfers.put(guild, TRANSFERS, CHANGE);
  await store.close();

  expect(rowsOf(old)).toEqual(rowsOf(fresh));
  expect(verifySqliteFile(old, () => {})).toEqual([]);
});
