import { describe, expect, it, onTestFinished } from 'vitest';
import { type ListingQuery, SORT_KEYS, SORT_ORDERS, type SortKey } from '../../src/domain/model.ts';
import type { LedgerStore } from '../../src/domain/ports.ts';
import { listingShape } from '../../src/store/ledger/listing-sql.ts';
import { createLedgerStore } from '../../src/store/sqlite/ledger.ts';
import { createRevisions } from '../../src/store/sqlite/revision.ts';
import { aGuild, aQuery, aTransaction, CHANGE } from '../contract/specimens.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

const BY_KEY = 'USING PRIMARY KEY (guild_no=? AND account_no=? AND seq';
/** The first hundred rows of an account are sorted by the query, the others come from their index in order. */
const ACCESS: Record<SortKey, string[]> = {
  createdAt: [BY_KEY],
  amount: [BY_KEY, 'USING INDEX ledger_by_amount (guild_no=? AND account_no=?'],
  quantity: [BY_KEY, 'USING INDEX ledger_by_quantity (guild_no=? AND account_no=?'],
  total: [BY_KEY, 'USING INDEX ledger_by_total (guild_no=? AND account_no=?'],
};

/** One query of each of the 64 shapes: four orders, two directions, eight sets of filters. */
const QUERIES: ListingQuery[] = SORT_KEYS.flatMap((sortBy) =>
  SORT_ORDERS.flatMap((sortOrder) =>
    Array.from({ length: 8 }, (_, mask) =>
      aQuery({
        sortBy,
        sortOrder,
        limit: 1,
        source: mask & 1 ? 'shop' : undefined,
        minUnits: mask & 2 ? 1 : undefined,
        maxUnits: mask & 4 ? 1_000_000 : undefined,
      }),
    ),
  ),
);

/** The real ledger on a file with a few accounts, and what each listing had prepared for it. */
async function openRecording() {
  const { store, file } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const posts = Array.from({ length: 300 }, (_, index) =>
    store.ledger.append(
      aTransaction(guild, {
        playerId: `p${index % 3}`,
        amountUnits: (index % 7) + 1,
        quantity: (index % 5) + 1,
      }),
    ),
  );
  await Promise.all(posts);
  const db = openStoreFile(file);
  onTestFinished(() => db.close());

  let prepared: string[] = [];
  const recording = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          prepared.push(sql);
          return target.prepare(sql);
        };
      }
      return Reflect.get(target, name, target);
    },
  });

  /** The statements that the query reads transactions with. A ledger of its own prepares all of them anew. */
  async function statementsOf(query: ListingQuery): Promise<string[]> {
    const noWrites = () => Promise.reject(new Error('listing does not write'));
    prepared = [];
    const ledger: LedgerStore = createLedgerStore({
      db: recording,
      read: async (work) => work(),
      readNow: (work) => work(),
      readLong: () => Promise.reject(new Error('a short listing needs no other thread')),
      openReader: () => ({ db: recording, assertMayGoOn() {}, close() {} }),
      write: noWrites,
      revisions: createRevisions(db),
    });
    const early = prepared;
    prepared = [];
    const listed = await ledger.list(guild, 'p1', query);
    expect(listed.transactions).toHaveLength(1);
    const ranges = early.filter((sql) => sql.includes('FROM ledger_transaction'));
    return prepared.length > 0 ? prepared : ranges;
  }

  function planOf(sql: string): string[] {
    return db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row.detail));
  }
  return { db, statementsOf, planOf };
}

describe('the plans of the ledger', () => {
  it('each of the 64 listings is read straight from its index, and no more than a hundred rows are sorted', async () => {
    const { statementsOf, planOf } = await openRecording();
    const shapes = new Set<string>();
    for (const query of QUERIES) {
      const shape = listingShape(query);
      shapes.add(shape);
      const pages = (await statementsOf(query)).filter((sql) => sql.includes('ORDER BY'));
      expect(pages.length, shape).toBeGreaterThan(0);
      for (const sql of pages) {
        const plan = planOf(sql).map((step) => step.replace('COVERING ', '').replace('SEARCH t ', 'SEARCH '));
        const steps = plan.filter((step) => /^(SEARCH|USE)|ledger_transaction/.test(step));
        const expected = ACCESS[query.sortBy].map((access) => expect.stringContaining(access));
        if (expected.length > 1) {
          // The plan does not show how many rows are sorted; the only upper bound of that part does.
          expected.splice(1, 0, 'USE TEMP B-TREE FOR ORDER BY');
          const [unindexed = ''] = sql.split(' UNION ALL ');
          expect(unindexed.match(/seq <=? [^ ]+ ?[^ ]+/g), sql).toEqual(['seq <= min(?, 100)']);
        }
        expect(steps.slice(0, expected.length), `${shape}: ${sql}`).toEqual(expected);
        // Beside the walk along the index there is at most the look-up of each row of the page by its key.
        const others = steps.slice(expected.length);
        expect(others, shape).toEqual(others.map(() => `SEARCH ${BY_KEY}=?)`));
        expect(others.length, shape).toBeLessThanOrEqual(1);
      }
    }
    expect(shapes.size).toBe(64);
  });

  it('a page of the unfiltered account by time is a key range, closed on both sides', async () => {
    const { statementsOf, planOf } = await openRecording();
    const ranges = await statementsOf(aQuery({ limit: 1 }));
    expect(ranges.map((sql) => /ORDER BY t.seq (ASC|DESC)$/.exec(sql)?.[1])).toEqual(['ASC', 'DESC']);
    for (const sql of ranges) {
      expect(sql).not.toContain('OFFSET');
      expect(planOf(sql)).toEqual([`SEARCH t ${BY_KEY}>? AND seq<?)`]);
    }
  });

  it('rest on nothing that could change: the store gathers no statistics', async () => {
    const { db } = await openRecording();
    // With statistics SQLite prefers to sort by hand what a narrow amount filter leaves of the order by time.
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'").all()).toEqual([]);
  });

  it('counting what matches stays within the account', async () => {
    const { statementsOf, planOf } = await openRecording();
    const counts = new Set<string>();
    for (const query of QUERIES) {
      for (const sql of (await statementsOf(query)).filter((one) => one.includes('count(*)'))) {
        counts.add(sql);
        const plan = planOf(sql);
        const searches = plan.filter((step) => step.includes('ledger_transaction'));
        expect(searches, sql).toHaveLength(sql.includes('amount') ? 2 : 1);
        for (const search of searches) {
          expect(search, sql).toMatch(/^SEARCH ledger_transaction .*\(guild_no=\? AND account_no=\?/);
        }
      }
    }
    expect(counts.size).toBe(7);
  });
});
