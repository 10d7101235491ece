import { describe, expect, it } from 'vitest';
import { aQuery } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';
import { describeViewPlayers } from './store-suite-view-players.ts';
import { describeViewSums } from './store-suite-view-sums.ts';
import { describeViewTransactions } from './store-suite-view-transactions.ts';
import { ALWAYS, NO_FILTER } from './view-specimens.ts';

export function describeLedgerViews(createPlace: CreatePlace): void {
  describe('looking at the ledger', () => {
    const openShared = shareByGuild(createPlace);

    it('a guild without transactions has no sums, players or pages', async () => {
      const { store, guild } = await openShared();
      const views = store.ledgerViews;
      expect(await views.totals(guild)).toEqual({ accounts: 0, transactions: 0, balanceUnits: 0n });
      expect(await views.days(guild, ALWAYS)).toEqual([]);
      expect(await views.topSources(guild, ALWAYS, 10)).toEqual([]);
      expect(await views.largestBalances(guild, 10)).toEqual([]);
      expect(await views.findPlayer(guild, 'p')).toBeUndefined();
      expect(await views.history(guild, 'p', 10)).toEqual([]);
      expect(await views.listGuild(guild, { ...NO_FILTER, limit: 10 })).toEqual({
        transactions: [],
        next: undefined,
        searchedToMs: undefined,
        total: 0,
      });
      expect(await Array.fromAsync(views.readGuild(guild, NO_FILTER))).toEqual([]);
      expect(await Array.fromAsync(views.read(guild, 'p', aQuery()))).toEqual([]);
    });

    describeViewSums(openShared);
    describeViewPlayers(openShared);
    describeViewTransactions(openShared);
  });
}
