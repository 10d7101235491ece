import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import {
  type GuildListingQuery,
  LOOKED_AT_FOR_SOURCE_MAX,
  LOOKED_AT_MAX,
  SUMMED_MAX,
} from '../../src/domain/ledger/ledger-views.ts';
import type { Guild } from '../../src/domain/model.ts';
import { LONG_TEST } from '../support/patience.ts';
import { aGuild, aPastTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';
import { NO_FILTER } from './view-specimens.ts';

const BATCH = 1_000;

/** A guild so large that one page cannot look at all of it: the oldest transaction alone is large, and of a rare source. */
export function describeLargeGuildListing(createPlace: CreatePlace): void {
  describe('the list of a large guild', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let guild: Guild;
    const rows = LOOKED_AT_MAX + 2 * BATCH;

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      guild = await place.store.guilds.set(aGuild(), CHANGE);
      for (let first = 0; first < rows; first += BATCH) {
        const batch = Array.from({ length: BATCH }, (_, offset) => {
          const index = first + offset;
          const isOldest = index === 0;
          return aPastTransaction(guild, {
            playerId: `p${index % 7}`,
            amountUnits: isOldest ? 50 : 1,
            source: isOldest ? 'rare' : 'shop',
            // The last thousand are of the day after.
            createdAtMs: NOON_MS + Math.floor(index / 100) + (index >= rows - BATCH ? DAY_MS : 0),
          });
        });
        await place.store.ledger.import(guild, batch);
      }
    }, LONG_TEST.timeout);
    afterAll(() => place.close());

    const list = (query: Partial<GuildListingQuery>) =>
      place.store.ledgerViews.listGuild(guild, {
        limit: 20,
        source: undefined,
        minUnits: undefined,
        maxUnits: undefined,
        ...query,
      });

    it('without a filter every page is full, up to the end', async () => {
      const first = await list({ limit: 100 });
      expect(first.transactions).toHaveLength(100);
      expect(first.searchedToMs).toBeUndefined();
      expect(first.total).toBe(rows);
      const oldest = { value: NOON_MS, createdAtMs: NOON_MS, accountNo: 0, seq: 0 };
      expect(await list({ after: oldest })).toMatchObject({ transactions: [], next: undefined });
    });

    it.each([
      ['an amount', { minUnits: 50 }, LOOKED_AT_MAX, 2],
      ['an amount and a source', { minUnits: 50, source: 'rare' }, LOOKED_AT_FOR_SOURCE_MAX, 3],
      ['a rare source', { source: 'rare' }, LOOKED_AT_FOR_SOURCE_MAX, 3],
    ])(
      'the search for %s stops on the way, says how far it came, and goes on from there',
      async (_, filter, max, pages) => {
        let page = await list(filter);
        let asked = 1;
        let lastMs = Number.POSITIVE_INFINITY;
        while (page.next !== undefined) {
          expect(page.transactions).toEqual([]);
          expect(page.searchedToMs).toBe(page.next.createdAtMs);
          expect(page.next.createdAtMs).toBeLessThan(lastMs);
          lastMs = page.next.createdAtMs;
          page = await list({ ...filter, after: page.next });
          asked += 1;
        }
        expect(page.transactions).toMatchObject([{ amountUnits: 50, source: 'rare', createdAtMs: NOON_MS }]);
        expect(page.searchedToMs).toBeUndefined();
        expect(asked).toBe(pages);
        expect(rows / asked).toBeLessThanOrEqual(max);
      },
    );

    it('sums are exact by the days, and otherwise of the newest, with the time back to which they are', async () => {
      const { filteredSums } = place.store.ledgerViews;
      const sum = (filter: Partial<GuildListingQuery>) => filteredSums(guild, { ...NO_FILTER, ...filter });
      expect(await sum({})).toEqual({
        depositCount: rows,
        depositUnits: BigInt(rows + 49),
        withdrawalCount: 0,
        withdrawalUnits: 0n,
        searchedToMs: undefined,
      });
      expect(await sum({ source: 'rare' })).toMatchObject({ depositCount: 1, depositUnits: 50n });
      const newest = await sum({ maxUnits: 1, search: 'IRON' });
      expect(newest).toMatchObject({ depositCount: SUMMED_MAX + 1, depositUnits: BigInt(SUMMED_MAX + 1) });
      const { searchedToMs = 0 } = newest;
      expect(searchedToMs).toBeGreaterThan(NOON_MS);
      expect(await sum({ minUnits: 50 })).toMatchObject({ depositCount: 0, searchedToMs });
      expect(await sum({ minUnits: 50, untilMs: searchedToMs })).toMatchObject({
        depositCount: 1,
        depositUnits: 50n,
        searchedToMs: undefined,
      });
    });

    it('days without the source are passed over', async () => {
      // The day after has no transaction of that source, so that its thousand are not looked at.
      const { next } = await list({ source: 'rare' });
      const lookedAt = await list({ limit: 1, after: next });
      const newest = NOON_MS + Math.floor((rows - BATCH - LOOKED_AT_FOR_SOURCE_MAX) / 100);
      expect(lookedAt.transactions[0]?.createdAtMs).toBeLessThanOrEqual(newest);
    });
  });
}
