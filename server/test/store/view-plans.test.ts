import { describe, expect, it, onTestFinished } from 'vitest';
import type { GuildListingQuery, LedgerViewStore } from '../../src/domain/ledger/ledger-views.ts';
import { createLedgerViewStore } from '../../src/store/ledger/ledger-views.ts';
import { createExportReads } from '../../src/store/sqlite/export-reads.ts';
import { createAccountViews } from '../../src/store/sqlite/ledger-views.ts';
import { aGuild, aPastTransaction, aQuery, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';
import { createEngineHere } from '../support/sqlite-engine.ts';

/** The real views on a small file, and the plan of every statement that they prepared. */
async function openRecording() {
  const { store, file } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.ledger.import(
    guild,
    Array.from({ length: 50 }, (_, index) => aPastTransaction(guild, { playerId: `p${index % 3}` })),
  );
  const db = openStoreFile(file);
  onTestFinished(() => db.close());
  const prepared = new Set<string>();
  const recording = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          prepared.add(sql);
          return target.prepare(sql);
        };
      }
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const exportReads = createExportReads(recording);
  const elsewhere = () => Promise.reject(new Error('a short listing needs no other thread'));
  const views: LedgerViewStore = createLedgerViewStore({
    engine: createEngineHere(recording),
    ...createAccountViews({
      db: recording,
      read: async (work) => work(),
      readLong: elsewhere,
      // The export thread's reads, run in this thread.
      readExport: async (name, input) => (exportReads[name] as (input: unknown) => never)(input),
    }),
  });
  const planOf = (sql: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row.detail));
  return { guild, views, prepared, planOf };
}

const LISTS: GuildListingQuery[] = Array.from({ length: 8 }, (_, mask) => ({
  limit: 5,
  after: { value: 0, createdAtMs: NOON_MS + 1, accountNo: 0, seq: 0 },
  source: mask & 1 ? 'shop' : undefined,
  minUnits: mask & 2 ? 1 : undefined,
  maxUnits: mask & 4 ? 1_000_000 : undefined,
}));

describe('the plans of the money pages', () => {
  it('no statement reads a whole table, and nothing is sorted but groups and the beginning of an account', async () => {
    const { guild, views, prepared, planOf } = await openRecording();
    for (const query of LISTS) {
      expect((await views.listGuild(guild, query)).transactions).toHaveLength(5);
    }
    await views.findPlayers(guild, 'p', 5);
    await views.list(guild, 'p1', aQuery({ sortBy: 'total' }));
    for (const sortBy of ['amount', 'quantity', 'total', 'createdAt'] as const) {
      expect(await Array.fromAsync(views.read(guild, 'p1', aQuery({ sortBy })))).toHaveLength(17);
    }
    await Array.fromAsync(views.readGuild(guild, { source: 'shop', minUnits: 1, maxUnits: undefined }));
    expect(prepared.size).toBeGreaterThan(25);
    for (const sql of prepared) {
      const plan = planOf(sql);
      // The keys that a statement has picked may be gone through; tables and indexes may not.
      const scans = plan.filter((step) =>
        /^SCAN (?!page|named|summed|picked|earners|spenders|best|json_each|\(subquery)/.test(step),
      );
      expect(scans, sql).toEqual([]);
      // Few groups each: sources, buckets of time, accounts of a bounded number of transactions, and those of one id.
      const isGrouped = /GROUP BY (t\.source|source|t\.created_at|t\.account_no)|ledger_by_id/.test(sql);
      // One sort more has the first hundred rows of an account.
      const sortsMax = sql.includes('seq <= min(?, 100)') ? 1 : 0;
      const sorts = plan.filter((step) => step.startsWith('USE TEMP B-TREE')).length;
      expect(isGrouped || sorts <= sortsMax, `${sql}\n${plan}`).toBe(true);
    }
  });

  it('the list of a guild walks the index by time alone, and fetches only rows that it shows or must ask', async () => {
    const { guild, views, prepared, planOf } = await openRecording();
    const before = new Set(prepared);
    for (const query of LISTS) {
      await views.listGuild(guild, query);
    }
    const lists = [...prepared].filter(
      (sql) => !before.has(sql) && sql.includes('JOIN ledger_transaction AS t'),
    );
    expect(lists).toHaveLength(8);
    for (const sql of lists) {
      const [first, second] = planOf(sql);
      expect(first, sql).toMatch(
        /^SEARCH e USING COVERING INDEX ledger_by_time \(guild_no=\? AND \(created_at,/,
      );
      expect(second, sql).toMatch(/^SEARCH t USING PRIMARY KEY \(guild_no=\? AND account_no=\? AND seq=\?\)/);
    }
  });
});
