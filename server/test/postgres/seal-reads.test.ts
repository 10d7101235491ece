import { expect, it } from 'vitest';
import { sealerOf } from '../contract/seal-specimens.ts';
import { aGuild, aTransaction, CHANGE } from '../contract/specimens.ts';
import { readCounts } from './row-counts.ts';
import { openOwnStore } from './store.ts';

const ROWS = 1_000;

it('sealing and receipts search no table of a ledger that grew since their statements were planned, without new statistics', async () => {
  const { store, database } = await openOwnStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const sealer = sealerOf(store);
  await database.query('VACUUM ANALYZE');
  for (const table of ['account', 'ledger_transaction', 'ledger_extra']) {
    await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  }
  for (let round = 0; round < 10; round += 1) {
    const posted = aTransaction(guild);
    await store.ledger.append(posted);
    await sealer.seal();
    await store.seals.transaction(guild, posted.transactionId);
  }
  // A few are hashed on the main thread, and many on one of their own.
  for (const count of [200, ROWS]) {
    await database.query(`
      INSERT INTO account SELECT ${guild.guildNo}, last_number + 1000 + n, 'p' || last_number + n, 1, 1, 0
        FROM guild_ledger, generate_series(1, ${count}) n;
      INSERT INTO ledger_transaction SELECT ${guild.guildNo}, last_number + 1000 + n, 1,
          lpad((last_number + n)::text, 8, '0') || '-0000-7000-8000-000000000000', 1, 1, 1, 'n', 's', 1, NULL, 0, NULL,
          last_number + n
        FROM guild_ledger, generate_series(1, ${count}) n;
      UPDATE guild_ledger SET last_number = last_number + ${count}`);
  }
  const before = await readCounts(database, 'open');
  await sealer.seal();
  expect((await store.seals.state(guild)).log?.size).toBe(10 + 200 + ROWS);
  const found = await store.seals.transaction(guild, '00000100-0000-7000-8000-000000000000');
  expect(found?.number).toBe(100);
  await store.close();
  const after = await readCounts(database, 'closed');
  for (const table of ['account', 'ledger_transaction', 'ledger_extra']) {
    expect((after.get(table) ?? 0) - (before.get(table) ?? 0)).toBe(0);
  }
});
