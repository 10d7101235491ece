import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Guild,
  type ListedTransaction,
  type ListingQuery,
  SORT_KEYS,
  SORT_ORDERS,
  type SortKey,
} from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { depth } from '../support/depth.ts';
import { aGuild, aQuery, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

/** An account as plain data: the transactions in the order of their posting. */
type Account = ListedTransaction[];

const LISTINGS = depth({ normal: 300, deep: 4_000 });
const PLAYERS = { few: 7, some: 150, many: 400 };
type Player = keyof typeof PLAYERS;

// Few different values, so that most rows tie with others in every order and only seq decides.
const ROW = fc.record({
  amountUnits: fc.constantFrom(-30_000, -10_000, -1, 1, 9_999, 10_000, 10_000, 30_000),
  quantity: fc.integer({ min: 1, max: 4 }),
  source: fc.constantFrom('shop', 'Shop', 'quest', 'shop '),
  name: fc.constantFrom('Iron', 'Gold', 'Salt'),
  // Mostly the same moment again, at times a step on, at times a clock that went back.
  stepMs: fc.constantFrom(0, 0, 0, 1, 1_000, -500),
});

type Row = typeof ROW extends fc.Arbitrary<infer Value> ? Value : never;

const HALF_THE_TIME = { nil: undefined, freq: 2 };
const FILTERS = fc.record({
  source: fc.option(fc.constantFrom('shop', 'Shop', 'quest', 'nothing'), HALF_THE_TIME),
  minUnits: fc.option(fc.constantFrom(-30_000, -10_000, -9_999, 0, 1, 10_000, 30_001), HALF_THE_TIME),
  maxUnits: fc.option(fc.constantFrom(-30_001, -10_000, -1, 0, 9_999, 10_000, 30_000), HALF_THE_TIME),
});

const QUERY = fc
  .record({
    filters: FILTERS,
    sortBy: fc.constantFrom(...SORT_KEYS),
    sortOrder: fc.constantFrom(...SORT_ORDERS),
    limit: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 7, 10, 50, 100)),
    page: fc.constant(1),
  })
  .map(({ filters, ...rest }): ListingQuery => ({ ...rest, ...filters }));

const PLAYER = fc.constantFrom(...(Object.keys(PLAYERS) as Player[]));

const VALUES: Record<SortKey, (row: ListedTransaction) => number> = {
  amount: (row) => row.amountUnits,
  quantity: (row) => row.quantity,
  total: (row) => row.totalUnits,
  createdAt: (row) => row.createdAtMs,
};

/** The same rows in every run, so that a counterexample's seed is enough to see it again. */
function sampleRows(count: number): Row[] {
  return fc.sample(ROW, { numRuns: count, seed: 20_260_615 });
}

/** The model of a listing: filter, sort by value and then by posting, cut. */
function matching(account: Account, query: ListingQuery): Account {
  const { source, minUnits, maxUnits, sortBy, sortOrder } = query;
  const sortValue = VALUES[sortBy];
  const ascending = account
    .map((row, seq) => ({ row, seq }))
    .filter(({ row }) => source === undefined || row.source === source)
    .filter(({ row }) => minUnits === undefined || row.amountUnits >= minUnits)
    .filter(({ row }) => maxUnits === undefined || row.amountUnits <= maxUnits)
    .sort((a, b) => sortValue(a.row) - sortValue(b.row) || a.seq - b.seq)
    .map(({ row }) => row);
  return sortOrder === 'asc' ? ascending : ascending.reverse();
}

async function post(store: Store, guild: Guild, playerId: string, rows: Row[]): Promise<Account> {
  let clockMs = NOON_MS;
  let lastMs = 0;
  const account: Account = [];
  const posts = rows.map(({ stepMs, ...row }) => {
    clockMs += stepMs;
    lastMs = Math.max(lastMs, clockMs);
    const transaction = aTransaction(guild, { ...row, playerId, createdAtMs: clockMs });
    const { transactionId, amountUnits, quantity, name, source, totalUnits } = transaction;
    account.push({ transactionId, amountUnits, quantity, name, source, totalUnits, createdAtMs: lastMs });
    return store.ledger.append(transaction);
  });
  await Promise.all(posts);
  return account;
}

export function describeListingProperties(createPlace: CreatePlace): void {
  describe('any listing', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let guild: Guild;
    const accounts: Partial<Record<Player, Account>> = {};

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      guild = await place.store.guilds.set(aGuild(), CHANGE);
      const other = await place.store.guilds.set(aGuild({ guildId: 'other' }), CHANGE);
      for (const [player, count] of Object.entries(PLAYERS) as [Player, number][]) {
        accounts[player] = await post(place.store, guild, player, sampleRows(count));
        // Noise right beside it, which must never show.
        await post(place.store, other, player, sampleRows(20));
      }
    });
    afterAll(() => place.close());

    it('is what filtering, sorting and cutting the account by hand gives', async () => {
      let pagesWithRows = 0;
      await fc.assert(
        fc.asyncProperty(PLAYER, QUERY, fc.nat(), async (player, shape, pick) => {
          const expected = matching(accounts[player] ?? [], shape);
          // Any page there is, and two past the end.
          const page = 1 + (pick % (Math.ceil(expected.length / shape.limit) + 2));
          const query = { ...shape, page };
          const skipped = (page - 1) * query.limit;
          const transactions = expected.slice(skipped, skipped + query.limit);
          pagesWithRows += transactions.length > 0 ? 1 : 0;
          const listed = await place.store.ledger.list(guild, player, query);
          expect(listed).toEqual({ transactions, total: expected.length });
        }),
        { numRuns: LISTINGS },
      );
      // A comparison of empty pages with empty pages would prove nothing.
      expect(pagesWithRows).toBeGreaterThan(LISTINGS / 4);
    });

    it('neither overlaps nor skips from page to page, in every order under every filter', async () => {
      await fc.assert(
        fc.asyncProperty(PLAYER, QUERY, fc.integer({ min: 5, max: 60 }), async (player, query, limit) => {
          const walked: string[] = [];
          let total = 1;
          for (let page = 1; (page - 1) * limit < total; page += 1) {
            const listed = await place.store.ledger.list(guild, player, { ...query, limit, page });
            walked.push(...listed.transactions.map((row) => row.transactionId));
            total = listed.total;
          }
          const expected = matching(accounts[player] ?? [], query);
          expect(walked).toEqual(expected.map((row) => row.transactionId));
        }),
        { numRuns: depth({ normal: 20, deep: 300 }) },
      );
    });

    it('asks every one of the 64 shapes of a listing and gets the model’s answer', async () => {
      for (const sortBy of SORT_KEYS) {
        for (const sortOrder of SORT_ORDERS) {
          for (let mask = 0; mask < 8; mask += 1) {
            const query = aQuery({
              sortBy,
              sortOrder,
              limit: 25,
              page: 2,
              source: mask & 1 ? 'shop' : undefined,
              minUnits: mask & 2 ? -10_000 : undefined,
              maxUnits: mask & 4 ? 10_000 : undefined,
            });
            const expected = matching(accounts.many ?? [], query);
            const listed = await place.store.ledger.list(guild, 'many', query);
            expect(listed).toEqual({ transactions: expected.slice(25, 50), total: expected.length });
          }
        }
      }
    });
  });
}
