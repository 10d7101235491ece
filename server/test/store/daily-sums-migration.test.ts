import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { verifySqliteFile } from '../../src/store/sqlite/backup.ts';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { aGuild, aPastTransaction, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { fillStore, openStoreOn, WITHOUT_NUMBERS, withRaw } from './full-store.ts';

const STEP = 5;
const MOST = Number.MAX_SAFE_INTEGER;

async function makeFile(fill: (store: Store, guild: Guild) => Promise<unknown>): Promise<string> {
  const file = path.join(createFolder(), 'guildbook.db');
  const store = await openStoreOn(file);
  await fill(store, await store.guilds.set(aGuild({ guildId: 'filled' }), CHANGE));
  await store.close();
  return file;
}

/** The same data as it lay in a store of the schema before the daily sums. */
function takeBack(file: string): string {
  const older = path.join(createFolder(), 'older.db');
  copyFileSync(file, older);
  const triggers = ['discharge', 'transfer', 'verification', 'past_user'].flatMap((table) =>
    ['inserted', 'updated', 'deleted'].map((event) => `DROP TRIGGER ${table}_${event};`),
  );
  withRaw(older, (db) =>
    db.exec(`${WITHOUT_NUMBERS} ${triggers.join(' ')} DELETE FROM revision WHERE part IN ('records', 'verifications'); DROP TABLE record_revision; DROP TABLE guild_day; DROP TABLE guild_day_source; DROP INDEX account_by_balance;
      DROP INDEX ledger_by_time; ALTER TABLE ledger_transaction DROP COLUMN posted_by;
      DELETE FROM schema_migration WHERE version >= ${STEP}`),
  );
  return older;
}

function sumsOf(file: string) {
  return withRaw(file, (db) => ({
    days: db.prepare('SELECT * FROM guild_day ORDER BY guild_no, day').all(),
    sources: db.prepare('SELECT * FROM guild_day_source ORDER BY guild_no, day, source').all(),
  }));
}

describe('a store from before the daily sums', () => {
  it('gets with the migration exactly what the writer would have kept', async () => {
    const file = await makeFile(async (store, guild) => {
      await fillStore(store);
      const times = [-DAY_MS - 1, -DAY_MS, -1, 0, DAY_MS - 1, DAY_MS, NOON_MS];
      const huge = Array.from({ length: 1_100 }, () => [MOST, -MOST, MOST - 1, 1 - MOST]).flat();
      await store.ledger.import(guild, [
        ...times.map((createdAtMs) =>
          aPastTransaction(guild, { createdAtMs, amountUnits: createdAtMs || 1 }),
        ),
        ...huge.map((amountUnits) =>
          aPastTransaction(guild, { playerId: 'huge', amountUnits, source: 'mint' }),
        ),
      ]);
      await store.ledger.append(aTransaction(guild, { source: 'Shop', amountUnits: -3 }));
    });
    const older = takeBack(file);
    expect(migrateSqliteFile(older).map(({ version }) => version)).toContain(STEP);
    const { days, sources } = sumsOf(older);
    expect({ days, sources }).toEqual(sumsOf(file));
    expect(days.some((row) => Number(row.deposit_high) > 2_048)).toBe(true);
    expect(verifySqliteFile(older, () => {})).toEqual([]);
  });

  it('keeps a hundred sources of a day by name and puts the others together, nothing lost', async () => {
    const file = await makeFile((store, guild) =>
      store.ledger.import(
        guild,
        Array.from({ length: 250 }, (_, index) =>
          aPastTransaction(guild, { source: `source ${index % 125}`, amountUnits: index + 1 }),
        ),
      ),
    );
    const older = takeBack(file);
    migrateSqliteFile(older);
    const { days, sources } = sumsOf(older);
    expect(sources).toHaveLength(101);
    expect(days).toEqual(sumsOf(file).days);
    expect(verifySqliteFile(older, () => {})).toEqual([]);
  });

  it('goes on from there: posts after the migration move the sums it made', async () => {
    const older = takeBack(await makeFile((store, guild) => store.ledger.append(aTransaction(guild))));
    const store = await openStoreOn(older);
    const guild = await store.guilds.set(aGuild({ guildId: 'filled' }), CHANGE);
    await store.ledger.append(aTransaction(guild));
    await store.ledger.append(aTransaction(guild, { postedBy: 'chat-1', amountUnits: -1 }));
    expect(await store.ledgerViews.totals(guild)).toEqual({
      accounts: 1,
      transactions: 3,
      balanceUnits: 19_999n,
    });
    await store.close();
    expect(verifySqliteFile(older, () => {})).toEqual([]);
  });

  it('without any transaction gets empty sums', async () => {
    const older = takeBack(await makeFile(async () => {}));
    migrateSqliteFile(older);
    expect(sumsOf(older)).toEqual({ days: [], sources: [] });
  });
});
