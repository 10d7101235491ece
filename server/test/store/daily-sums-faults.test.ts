import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/calendar.ts';
import type { NewTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { verifySqliteFile } from '../../src/store/sqlite/backup.ts';
import {
  aGuild,
  aPastTransaction,
  aTransaction,
  CHANGE,
  domainError,
  NOON_MS,
} from '../contract/specimens.ts';
import { openTestStore } from '../support/open-store.ts';
import { withRaw } from './full-store.ts';

/** Rules of the file that no code of ours knows: breaking one is a defect in the middle of a batch. */
const DEFECTS = {
  'an insert': `CREATE TRIGGER defect BEFORE INSERT ON ledger_transaction WHEN NEW.name = 'defect'
    BEGIN SELECT RAISE(ABORT, 'defect'); END`,
  'the sums of a day': `CREATE TRIGGER defect BEFORE INSERT ON guild_day WHEN NEW.day = 1
    BEGIN SELECT RAISE(ABORT, 'defect'); END`,
  'the sums of a source': `CREATE TRIGGER defect BEFORE INSERT ON guild_day_source WHEN NEW.source = 'defect'
    BEGIN SELECT RAISE(ABORT, 'defect'); END`,
};

async function openWithDefect(defect: keyof typeof DEFECTS) {
  const { store, file } = await openTestStore();
  withRaw(file, (db) => db.exec(DEFECTS[defect]));
  const guild = await store.guilds.set(aGuild({ overdraftAllowed: false }), CHANGE);
  return { store, file, guild };
}

/** Sent together, so that those after the first share a commit. */
function postAll(store: Store, posts: readonly NewTransaction[]): Promise<string[]> {
  const outcomes = posts.map((post) =>
    store.ledger.append(post).then(
      () => 'posted',
      (error) => error.code as string,
    ),
  );
  return Promise.all(outcomes);
}

describe.each(Object.keys(DEFECTS) as (keyof typeof DEFECTS)[])('when %s fails', (defect) => {
  it('that write alone is undone, and the sums hold exactly what was posted', async () => {
    const { store, file, guild } = await openWithDefect(defect);
    const good = () => aTransaction(guild, { playerId: 'p', createdAtMs: NOON_MS });
    const bad = aTransaction(guild, {
      playerId: 'q',
      name: 'defect',
      source: 'defect',
      createdAtMs: 86_400_000,
    });
    const overdraft = aTransaction(guild, { playerId: 'r', amountUnits: -1 });
    const outcomes = await postAll(store, [good(), good(), overdraft, bad, good(), overdraft, good()]);
    expect(outcomes).toEqual(['posted', 'posted', 'overdraft', 'internal', 'posted', 'overdraft', 'posted']);
    expect(await store.ledgerViews.days(guild, { since: 0, until: 99_999 })).toEqual([
      {
        day: dayOf(NOON_MS),
        accountsOpened: 1,
        depositCount: 4,
        depositUnits: 40_000n,
        withdrawalCount: 0,
        withdrawalUnits: 0n,
      },
    ]);
    expect(verifySqliteFile(file, () => {})).toEqual([]);
  });

  it('within all or nothing the parts before and after it stand', async () => {
    const { store, file, guild } = await openWithDefect(defect);
    await store.allOrNothing(async () => {
      await store.ledger.append(aTransaction(guild));
      const bad = aPastTransaction(guild, {
        playerId: 'q',
        name: 'defect',
        source: 'defect',
        createdAtMs: 86_400_000,
      });
      await expect(store.ledger.import(guild, [bad])).rejects.toMatchObject(domainError('internal'));
      await store.ledger.append(aTransaction(guild));
    });
    expect(await store.ledgerViews.totals(guild)).toMatchObject({ accounts: 1, transactions: 2 });
    expect(verifySqliteFile(file, () => {})).toEqual([]);
  });
});
