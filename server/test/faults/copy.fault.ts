import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyBetween } from '../../src/compose/copy.ts';
import { readConfig } from '../../src/config.ts';
import { makeSampleStore } from '../../src/demo/sample-store.ts';
import { COPY_TABLES } from '../../src/store/operations/copy-tables.ts';
import { aGuild, aPastTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { createDatabase } from '../postgres/database.ts';
import { openStoreOn } from '../store/full-store.ts';
import { createFolder } from '../support/folder.ts';
import { readStore } from '../support/read-store.ts';

const TRANSACTIONS = 1_000_000;
const BATCH = 1_000;
/** A million rows are written three times and compared. */
const PATIENT = { timeout: 1_800_000 };

/** There and back again: the last store has every row of the first. */
async function expectRoundTrip(source: string): Promise<number> {
  const database = await createDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  const back = path.join(createFolder(), 'back.db');
  const quiet = { onRows() {}, onVerify() {} };
  const count = await copyBetween(`sqlite:${source}`, database.url, quiet);
  expect(await copyBetween(database.url, `sqlite:${back}`, quiet)).toBe(count);
  readStore(back, (db) => {
    db.exec(`ATTACH DATABASE '${source}' AS source`);
    for (const { name } of COPY_TABLES) {
      const [missing, added] = [
        `SELECT * FROM source.${name} EXCEPT SELECT * FROM main.${name}`,
        `SELECT * FROM main.${name} EXCEPT SELECT * FROM source.${name}`,
      ].map((sql) => db.prepare(`SELECT count(*) AS count FROM (${sql})`).get()?.count);
      expect({ name, missing, added }).toEqual({ name, missing: 0, added: 0 });
    }
  });
  rmSync(back);
  return count;
}

it('the sample data is copied to PostgreSQL and back without a difference', PATIENT, async () => {
  const file = path.join(createFolder(), 'sample.db');
  await makeSampleStore(readConfig({ DATABASE_URL: `sqlite:${file}` }), { actor: CHANGE.actor });
  expect(await expectRoundTrip(file)).toBeGreaterThan(10_000);
});

it('a million transactions are copied to PostgreSQL and back without a difference', PATIENT, async () => {
  const file = path.join(createFolder(), 'million.db');
  const store = await openStoreOn(file);
  const guild = await store.guilds.set(aGuild(), CHANGE);
  for (let done = 0; done < TRANSACTIONS; done += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) =>
      aPastTransaction(guild, {
        playerId: `p${(done + index * 7) % 5_000}`,
        createdAtMs: NOON_MS + done * 60 + index,
        amountUnits: ((done + index) % 2_000) - 1_000 || 1,
      }),
    );
    await store.ledger.import(guild, batch);
  }
  await store.close();
  expect(await expectRoundTrip(file)).toBeGreaterThan(TRANSACTIONS);
});
