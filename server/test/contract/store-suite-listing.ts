import { describe, expect, it } from 'vitest';
import { type ListingQuery, SORT_KEYS, SORT_ORDERS } from '../../src/domain/model.ts';
import { aQuery, aTransaction, LOOKALIKES, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

export function describeLedgerListing(createPlace: CreatePlace): void {
  describe('listing the ledger', () => {
    const open = shareByGuild(createPlace);

    /** Four transactions named a to d, whose four orders all differ. */
    async function openWithFour() {
      const place = await open();
      const { store, guild } = place;
      for (const [name, amountUnits, quantity, source] of [
        ['a', 30, 1, 'shop'],
        ['b', -20, 4, 'Shop'],
        ['c', 10, 5, 'shop'],
        ['d', 30, 2, 'quest'],
      ] as const) {
        await store.ledger.append(
          aTransaction(guild, { playerId: 'p', name, amountUnits, quantity, source }),
        );
      }
      async function names(changes: Partial<ListingQuery>): Promise<string> {
        const { transactions, total } = await store.ledger.list(guild, 'p', aQuery(changes));
        return `${transactions.map((one) => one.name).join('')} of ${total}`;
      }
      return { ...place, names };
    }

    it.each([
      ['createdAt', 'abcd'],
      ['amount', 'bcad'],
      ['quantity', 'adbc'],
      ['total', 'bacd'],
    ] as const)('by %s ascends as %s, and descends as its exact reverse', async (sortBy, ascending) => {
      const { names } = await openWithFour();
      const descending = Array.from(ascending).reverse().join('');
      expect(await names({ sortBy, sortOrder: 'asc' })).toBe(`${ascending} of 4`);
      expect(await names({ sortBy, sortOrder: 'desc' })).toBe(`${descending} of 4`);
    });

    it('filters by amount, bounds included, and by source to the letter', async () => {
      const { names } = await openWithFour();
      expect(await names({ minUnits: 10 })).toBe('acd of 3');
      expect(await names({ minUnits: 11 })).toBe('ad of 2');
      expect(await names({ maxUnits: 10 })).toBe('bc of 2');
      expect(await names({ minUnits: -20, maxUnits: 10 })).toBe('bc of 2');
      expect(await names({ minUnits: 0, maxUnits: 0 })).toBe(' of 0');
      expect(await names({ source: 'shop' })).toBe('ac of 2');
      expect(await names({ source: 'Shop' })).toBe('b of 1');
      expect(await names({ source: 'sho' })).toBe(' of 0');
      expect(await names({ source: 'shop', minUnits: 20, sortBy: 'total' })).toBe('a of 1');
    });

    it('a page that is asked for again and again shows each new transaction at once', async () => {
      const { store, guild, names } = await openWithFour();
      const queries = [
        aQuery({}),
        aQuery({ sortBy: 'amount' }),
        aQuery({ source: 'shop' }),
        aQuery({ minUnits: 1 }),
      ];
      const before = ['abcd of 4', 'bcad of 4', 'ac of 2', 'acd of 3'];
      const after = ['abcde of 5', 'bcade of 5', 'ace of 3', 'acde of 4'];
      for (let times = 0; times < 3; times += 1) {
        expect(await Promise.all(queries.map(names))).toEqual(before);
      }
      const newest = { playerId: 'p', name: 'e', amountUnits: 99, quantity: 1, source: 'shop' };
      await store.ledger.append(aTransaction(guild, newest));
      for (let times = 0; times < 3; times += 1) {
        expect(await Promise.all(queries.map(names))).toEqual(after);
      }
    });

    it('sources that only look alike are different', async () => {
      const { store, guild } = await open();
      for (const [index, [source, other]] of LOOKALIKES.entries()) {
        const playerId = `p${index}`;
        await store.ledger.append(aTransaction(guild, { playerId, source }));
        const listed = await store.ledger.list(guild, playerId, aQuery({ source: other }));
        expect(listed, `${source} and ${other}`).toEqual({ transactions: [], total: 0 });
      }
    });

    it('pages carry the total of all pages, and past the end are empty', async () => {
      const { names } = await openWithFour();
      expect(await names({ limit: 3, page: 1 })).toBe('abc of 4');
      expect(await names({ limit: 3, page: 2 })).toBe('d of 4');
      expect(await names({ limit: 3, page: 3 })).toBe(' of 4');
      expect(await names({ limit: 3, page: 2, sortOrder: 'desc' })).toBe('a of 4');
      expect(await names({ limit: 3, page: 1_000_000, sortOrder: 'desc' })).toBe(' of 4');
      expect(await names({ limit: 1, page: 2, source: 'shop', sortBy: 'amount' })).toBe('a of 2');
      expect(await names({ limit: 2, page: 2, source: 'shop' })).toBe(' of 2');
    });

    it('an unknown player has an empty account, in every order and under every filter', async () => {
      const { store, guild } = await openWithFour();
      for (const sortBy of SORT_KEYS) {
        for (const sortOrder of SORT_ORDERS) {
          for (const filter of [{}, { minUnits: 0 }, { source: 'shop' }]) {
            const listed = await store.ledger.list(guild, 'nobody', aQuery({ sortBy, sortOrder, ...filter }));
            expect(listed).toEqual({ transactions: [], total: 0 });
          }
        }
      }
    });

    it('a guild’s accounts do not show through another guild', async () => {
      const { store, foundAnother } = await openWithFour();
      const other = await foundAnother();
      expect((await store.ledger.list(other, 'p', aQuery())).total).toBe(0);
      await store.ledger.append(aTransaction(other, { playerId: 'p', name: 'theirs' }));
      const listed = await store.ledger.list(other, 'p', aQuery({ sortBy: 'amount' }));
      expect(listed.transactions.map((one) => one.name)).toEqual(['theirs']);
    });

    it('a page is consistent with its total while others post', async () => {
      const { store, openAnother, guild } = await open();
      const poster = await openAnother();
      const posts = Array.from({ length: 200 }, (_, index) =>
        poster.ledger.append(aTransaction(guild, { playerId: 'p', createdAtMs: NOON_MS + index })),
      );
      let isPosting = true;
      const posted = Promise.all(posts).finally(() => {
        isPosting = false;
      });
      let round = 0;
      while (isPosting) {
        const sortBy = SORT_KEYS[round % SORT_KEYS.length] ?? 'amount';
        const filter = round % 2 === 0 ? {} : { minUnits: 1 };
        const listed = await store.ledger.list(guild, 'p', aQuery({ limit: 300, sortBy, ...filter }));
        expect(listed.transactions).toHaveLength(listed.total);
        round += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
      await posted;
      expect((await store.ledger.list(guild, 'p', aQuery())).total).toBe(200);
    });
  });
}
