import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { verifySqliteFile } from '../../src/store/sqlite/backup.ts';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { aGuild, aPastTransaction, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openStoreOn, WITHOUT_NUMBERS, withRaw } from './full-store.ts';

const STEP = 8;

it('a store from before the numbers gets them by time, and what an older process inserts goes on behind them', async () => {
  const file = path.join(createFolder(), 'guildbook.db');
  const store = await openStoreOn(file);
  const guild = await store.guilds.set(aGuild(), CHANGE);
  for (const [playerId, offset] of [
    ['q', 30],
    ['p', 10],
    ['p', 20],
    ['q', 30],
  ] as const) {
    await store.ledger.append(aTransaction(guild, { playerId, createdAtMs: NOON_MS + offset }));
  }
  await store.ledger.import(guild, [aPastTransaction(guild, { playerId: 'r', createdAtMs: NOON_MS })]);
  await store.close();
  const older = path.join(createFolder(), 'older.db');
  copyFileSync(file, older);
  withRaw(older, (db) => db.exec(`${WITHOUT_NUMBERS} DELETE FROM schema_migration WHERE version >= ${STEP}`));

  expect(migrateSqliteFile(older).map(({ version }) => version)).toContain(STEP);
  expect(verifySqliteFile(older, () => {})).toEqual([]);
  withRaw(older, (db) =>
    db.exec(`INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name,
        source, balance_after, created_at)
      SELECT guild_no, account_no, seq + 1, 'of an older process', 1, 1, 1, 'late', 'shop', balance_after + 1, created_at
      FROM ledger_transaction WHERE number = 1`),
  );
  const again = await openStoreOn(older);
  await again.ledger.append(aTransaction(guild, { playerId: 'new' }));
  // Beside the process that is open, too.
  withRaw(older, (db) =>
    db.exec(`INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name,
        source, balance_after, created_at)
      SELECT guild_no, account_no, seq + 1, 'of an older process again', 1, 1, 1, 'late', 'shop', balance_after + 1,
        created_at
      FROM ledger_transaction WHERE number = 6`),
  );
  await again.ledger.append(aTransaction(guild, { playerId: 'new' }));
  const feed = await again.entries.feed(guild, { after: 0, limit: 9 });
  await again.close();
  expect(feed.map(({ number, playerId }) => `${number}${playerId}`)).toEqual([
    '1r',
    '2p',
    '3p',
    '4q',
    '5q',
    '6r',
    '7new',
    '8r',
    '9new',
  ]);
});
