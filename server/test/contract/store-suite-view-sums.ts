import { describe, expect, it } from 'vitest';
import { DAY_MS, dayOf } from '../../src/domain/calendar.ts';
import { SOURCES_PER_DAY_MAX, type SourceSums } from '../../src/domain/ledger/ledger-views.ts';
import { aPastTransaction, NOON_MS } from './specimens.ts';
import type { OpenShared } from './store-place.ts';
import { ALWAYS, NO_FILTER, post } from './view-specimens.ts';

const TODAY = dayOf(NOON_MS);

/** The sums of days and of sources. */
export function describeViewSums(openShared: OpenShared): void {
  it('a time before the account’s last counts on the day it was lifted to', async () => {
    const { store, guild } = await openShared();
    await post(store, guild, { createdAtMs: NOON_MS });
    await post(store, guild, { createdAtMs: NOON_MS - 3 * DAY_MS });
    expect(await store.ledgerViews.days(guild, ALWAYS)).toMatchObject([{ day: TODAY, depositCount: 2 }]);
  });

  it('an import counts on the day it happened, before 1970 too, and what was refused counts nowhere', async () => {
    const { store, guild } = await openShared();
    const past = (playerId: string, createdAtMs: number) =>
      aPastTransaction(guild, { playerId, createdAtMs, amountUnits: -7 });
    const outcomes = await store.ledger.import(guild, [
      past('p', -1),
      past('p', -2),
      past('q', 0),
      past('q', DAY_MS - 1),
    ]);
    expect(outcomes[1]).toHaveProperty('refused');
    const withdrawals = { depositCount: 0, depositUnits: 0n };
    expect(await store.ledgerViews.days(guild, ALWAYS)).toEqual([
      { day: -1, accountsOpened: 1, ...withdrawals, withdrawalCount: 1, withdrawalUnits: 7n },
      { day: 0, accountsOpened: 1, ...withdrawals, withdrawalCount: 2, withdrawalUnits: 14n },
    ]);
  });

  it('sums outgrow 64 bits without rounding', async () => {
    const { store, guild } = await openShared();
    const most = Number.MAX_SAFE_INTEGER;
    const pairs = Array.from({ length: 1_100 }, () => [most, -most]).flat();
    await store.ledger.import(
      guild,
      pairs.map((amountUnits) => aPastTransaction(guild, { amountUnits })),
    );
    const units = 1_100n * BigInt(most);
    expect(units).toBeGreaterThan(2n ** 63n);
    const sums = {
      depositCount: 1_100,
      depositUnits: units,
      withdrawalCount: 1_100,
      withdrawalUnits: units,
    };
    expect(await store.ledgerViews.days(guild, ALWAYS)).toEqual([{ day: TODAY, accountsOpened: 1, ...sums }]);
    expect(await store.ledgerViews.topSources(guild, ALWAYS, 1)).toEqual([{ source: 'shop', ...sums }]);
  });

  it('all or nothing holds for the sums too', async () => {
    const { store, guild } = await openShared();
    await post(store, guild);
    const undone = store.allOrNothing(async () => {
      await store.ledger.import(guild, [aPastTransaction(guild, { playerId: 'q' })]);
      throw new Error('not after all');
    });
    await expect(undone).rejects.toThrow('not after all');
    expect(await store.ledgerViews.totals(guild)).toMatchObject({ accounts: 1, transactions: 1 });
    await store.allOrNothing(async () => {
      await store.ledger.import(guild, [aPastTransaction(guild, { playerId: 'q' })]);
      await post(store, guild);
    });
    expect(await store.ledgerViews.totals(guild)).toMatchObject({ accounts: 2, transactions: 3 });
    expect(await store.ledgerViews.topSources(guild, ALWAYS, 9)).toMatchObject([{ depositCount: 3 }]);
  });

  describe('on a day with more sources than have sums of their own', () => {
    /** A hundred and fifty sources in several commits, each with as many transactions as its number says. */
    async function openCrowded() {
      const opened = await openShared();
      const { store, guild } = opened;
      const sources = Array.from({ length: SOURCES_PER_DAY_MAX + 50 }, (_, index) => `source ${index}`);
      for (const count of [1, 2]) {
        for (let first = 0; first < sources.length; first += 40) {
          const some = sources.slice(first, first + 40);
          const rows = some.flatMap((source) =>
            Array.from({ length: count }, () => aPastTransaction(guild, { source, amountUnits: 3 })),
          );
          await store.ledger.import(guild, rows);
        }
      }
      const named = await store.ledgerViews.topSources(guild, ALWAYS, 1_000);
      return { ...opened, sources, named };
    }

    it('each of a hundred has all of its own, and the others are in the day’s sums', async () => {
      const { store, guild, sources, named } = await openCrowded();
      expect(named).toHaveLength(SOURCES_PER_DAY_MAX);
      const expected: Omit<SourceSums, 'source'> = {
        depositCount: 3,
        depositUnits: 9n,
        withdrawalCount: 0,
        withdrawalUnits: 0n,
      };
      expect(named).toEqual(named.map(({ source }) => ({ source, ...expected })));
      expect(sources).toEqual(expect.arrayContaining(named.map(({ source }) => source)));
      expect(await store.ledgerViews.days(guild, ALWAYS)).toMatchObject([
        { depositCount: 450, depositUnits: 1_350n },
      ]);
    });

    it('the list finds those of every source, and knows the total of those with sums', async () => {
      const { store, guild, sources, named } = await openCrowded();
      const names = new Set(named.map(({ source }) => source));
      const hidden = sources.find((source) => !names.has(source));
      const list = (source: string | undefined) =>
        store.ledgerViews.listGuild(guild, { ...NO_FILTER, source, limit: 100 });
      const shown = await list(named[0]?.source);
      expect(shown.transactions).toHaveLength(3);
      expect(shown.total).toBe(3);
      const found = await list(hidden);
      expect(found.transactions.map(({ source }) => source)).toEqual([hidden, hidden, hidden]);
      expect(found.total).toBeUndefined();
      expect((await list('nobody')).total).toBeUndefined();
    });
  });
}
