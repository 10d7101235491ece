import { describe, expect, it } from 'vitest';
import type { ListedTransaction, ListingQuery, SortKey } from '../../src/domain/model.ts';
import { SORT_KEYS, SORT_ORDERS } from '../../src/domain/model.ts';
import { createPostgresPlace } from '../contract/postgres-place.ts';
import { aPastTransaction, aQuery } from '../contract/specimens.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { type OpenShared, shareByGuild } from '../contract/store-place.ts';

/** A hundred rows of an account are sorted when they are asked for, the others are in indexes. */
const LENGTHS = [1, 99, 100, 101, 102, 250];

const VALUE: Record<SortKey, (row: ListedTransaction) => number> = {
  amount: ({ amountUnits }) => amountUnits,
  quantity: ({ quantity }) => quantity,
  total: ({ totalUnits }) => totalUnits,
  createdAt: () => 0,
};

const FILTERS: Partial<ListingQuery>[] = [
  {},
  { source: 'shop' },
  { minUnits: -2 },
  { minUnits: -2, maxUnits: 2, source: 'shop' },
  { minUnits: 1_000 },
];

/** An account whose values repeat and lie on both sides of the hundredth row, in the order of its posts. */
async function openAccount(open: OpenShared, length: number) {
  const { store, guild } = await open();
  const rows = Array.from({ length }, (_, index) =>
    aPastTransaction(guild, {
      playerId: 'p',
      amountUnits: ((index * 7) % 11) - 5 || 6,
      quantity: ((index * 5) % 7) + 1,
      source: index % 3 === 0 ? 'shop' : 'quest',
    }),
  );
  await store.ledger.import(guild, rows);
  return { store, guild };
}

describe.each([
  ['SQLite', createSqlitePlace],
  ['PostgreSQL', () => createPostgresPlace()],
])('an account in parts on %s', (_engine, createPlace) => {
  const open = shareByGuild(createPlace);

  it.each(LENGTHS)('of %d rows has each row once, in every order and under every filter', async (length) => {
    const { store, guild } = await openAccount(open, length);
    const list = (query: Partial<ListingQuery>) => store.ledger.list(guild, 'p', aQuery(query));
    const all: ListedTransaction[] = [];
    for (let page = 1; all.length < length; page += 1) {
      all.push(...(await list({ page, limit: 100, sortBy: 'createdAt', sortOrder: 'asc' })).transactions);
    }
    for (const sortBy of SORT_KEYS) {
      for (const sortOrder of SORT_ORDERS) {
        for (const filter of FILTERS) {
          const { minUnits = -Infinity, maxUnits = Infinity, source } = filter;
          const matching = all.filter(
            (row) =>
              row.amountUnits >= minUnits &&
              row.amountUnits <= maxUnits &&
              (source === undefined || row.source === source),
          );
          // A stable sort leaves rows of the same value in the order of their posts.
          const rising = matching.toSorted((one, other) => VALUE[sortBy](one) - VALUE[sortBy](other));
          const expected = (sortOrder === 'asc' ? rising : rising.reverse()).map((row) => row.transactionId);
          const listed: string[] = [];
          for (let page = 1; page <= Math.ceil(length / 30) + 1; page += 1) {
            const query = { ...filter, sortBy, sortOrder, page, limit: 30 };
            const { transactions, total } = await list(query);
            expect(total, JSON.stringify(query)).toBe(expected.length);
            listed.push(...transactions.map(({ transactionId }) => transactionId));
          }
          expect(listed, JSON.stringify({ sortBy, sortOrder, filter })).toEqual(expected);
          const exported = store.ledgerViews.read(guild, 'p', aQuery({ ...filter, sortBy, sortOrder }));
          expect((await Array.fromAsync(exported)).map(({ transactionId }) => transactionId)).toEqual(
            expected,
          );
        }
      }
    }
  });
});
