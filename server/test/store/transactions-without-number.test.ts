import path from 'node:path';
import { expect, it } from 'vitest';
import { aGuild, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openStoreOn, withRaw } from './full-store.ts';

/** Inserts as a process of version 0.1 does, behind the transaction with this number. */
function insertWithoutNumber(file: string, { behind, id }: { behind: number; id: string }): void {
  withRaw(file, (db) =>
    db
      .prepare(
        `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name,
          source, balance_after, created_at)
        SELECT guild_no, account_no, seq + 1, ?, 1, 1, 1, 'late', 'shop', balance_after + 1, created_at
        FROM ledger_transaction WHERE number = ?`,
      )
      .run(id, behind),
  );
}

it('transactions that a process of version 0.1 inserts without a number get the next ones', async () => {
  const file = path.join(createFolder(), 'guildbook.db');
  const store = await openStoreOn(file);
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.ledger.append(aTransaction(guild, { playerId: 'p', createdAtMs: NOON_MS }));
  await store.ledger.append(aTransaction(guild, { playerId: 'q', createdAtMs: NOON_MS + 1 }));
  await store.close();
  insertWithoutNumber(file, { behind: 1, id: 'of an older process' });
  const again = await openStoreOn(file);
  await again.ledger.append(aTransaction(guild, { playerId: 'new' }));
  // Beside the process that is open, too.
  insertWithoutNumber(file, { behind: 3, id: 'of an older process again' });
  await again.ledger.append(aTransaction(guild, { playerId: 'new' }));
  const feed = await again.entries.feed(guild, { after: 0, limit: 9 });
  await again.close();
  expect(feed.map(({ number, playerId }) => `${number}${playerId}`)).toEqual([
    '1p',
    '2q',
    '3p',
    '4new',
    '5p',
    '6new',
  ]);
});
