import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, type DayRange, dayOf } from '../../src/domain/calendar.ts';
import type {
  DaySums,
  DetailedTransaction,
  MoneySums,
  SourceSums,
} from '../../src/domain/ledger/ledger-views.ts';
import type { Guild, TransactionFilter } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { depth } from '../support/depth.ts';
import { aGuild, aPastTransaction, aQuery, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed, type TransactionRow } from './store-place.ts';

const SOURCES = ['shop', 'Shop', 'arena', 'dashboard'] as const;
/** Near the largest total there is, and odd: sums of these outgrow the exact numbers at once, and rounding shows. */
const HUGE = Number.MAX_SAFE_INTEGER - 4;

const STEP = fc.record({
  // Rarely: two writers in two processes wait for each other by sleeping.
  throughSecondStore: fc.constantFrom(false, false, false, true),
  isImport: fc.boolean(),
  guild: fc.constantFrom(0, 1, 2),
  player: fc.constantFrom('p', 'q', 'r'),
  source: fc.constantFrom(...SOURCES),
  amountUnits: fc.oneof(
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: -9, max: -1 }),
    fc.constantFrom(HUGE, -HUGE),
  ),
  // Before 1970 too, and right at the edges of days. The store refuses or raises times that are out of order.
  atMs: fc.tuple(fc.integer({ min: -2, max: 3 }), fc.constantFrom(0, 1, DAY_MS - 1)),
  inThePast: fc.boolean(),
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { freq: 3, nil: undefined }),
  waitsFirst: fc.constantFrom(false, false, false, true),
});
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;
const PLAN = fc.array(STEP, { minLength: 1, maxLength: 40, size: 'max' });

const QUERY = fc.record({
  guild: fc.constantFrom(0, 1, 2),
  limit: fc.integer({ min: 1, max: 7 }),
  source: fc.option(fc.constantFrom(...SOURCES, 'none'), { nil: undefined }),
  minUnits: fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined }),
  maxUnits: fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined }),
  range: fc.tuple(fc.integer({ min: -3, max: 4 }), fc.integer({ min: -3, max: 4 })),
});
type Query = typeof QUERY extends fc.Arbitrary<infer Value> ? Value : never;

interface Known {
  source: string;
  amountUnits: number;
}
type Row = TransactionRow & Known;

/** Carries the plan out, and remembers what each transaction was to be. Refusals are part of the plan. */
async function carryOut(
  stores: readonly [Store, Store],
  guilds: readonly Guild[],
  plan: Step[],
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  const underWay: Promise<unknown>[] = [];
  for (const step of plan) {
    if (step.waitsFirst) {
      await Promise.allSettled(underWay);
    }
    const guild = guilds[step.guild] as Guild;
    const { ledger } = stores[step.throughSecondStore ? 1 : 0];
    const { player: playerId, source, amountUnits, key } = step;
    const createdAtMs = (step.inThePast ? 0 : dayOf(NOON_MS) * DAY_MS) + step.atMs[0] * DAY_MS + step.atMs[1];
    const changes = { playerId, source, amountUnits, createdAtMs };
    if (step.isImport) {
      const batch = [
        aPastTransaction(guild, changes),
        aPastTransaction(guild, { ...changes, playerId: 's' }),
      ];
      for (const one of batch) known.set(one.transactionId, { source, amountUnits });
      // The second time everything is there already.
      underWay.push(ledger.import(guild, batch), ledger.import(guild, batch));
    } else {
      const idempotency = key === undefined ? undefined : { key, requestHash: 'h' };
      const post = aTransaction(guild, { ...changes, idempotency });
      known.set(post.transactionId, { source, amountUnits });
      underWay.push(ledger.append(post));
    }
    // A refusal is met below, all together.
    underWay.at(-1)?.catch(() => {});
  }
  await Promise.allSettled(underWay);
  return known;
}

function sumsOf(rows: readonly Row[]): MoneySums {
  const units = (some: Row[]) => some.reduce((sum, row) => sum + BigInt(row.totalUnits), 0n);
  const deposits = rows.filter((row) => row.totalUnits > 0);
  const withdrawals = rows.filter((row) => row.totalUnits < 0);
  return {
    depositCount: deposits.length,
    depositUnits: units(deposits),
    withdrawalCount: withdrawals.length,
    withdrawalUnits: -units(withdrawals),
  };
}

function expectedDays(rows: readonly Row[], { since, until }: DayRange): DaySums[] {
  const days = Map.groupBy(rows, (row) => dayOf(row.createdAtMs));
  return Array.from(days, ([day, own]) => ({
    day,
    accountsOpened: own.filter((row) => row.seq === 1).length,
    ...sumsOf(own),
  }))
    .filter(({ day }) => day >= since && day <= until)
    .sort((a, b) => a.day - b.day);
}

function expectedSources(rows: readonly Row[], { since, until }: DayRange): SourceSums[] {
  const own = rows.filter(({ createdAtMs }) => dayOf(createdAtMs) >= since && dayOf(createdAtMs) <= until);
  const turnover = (sums: MoneySums) => sums.depositUnits + sums.withdrawalUnits;
  return Array.from(
    Map.groupBy(own, (row) => row.source),
    ([source, some]) => ({ source, ...sumsOf(some) }),
  ).sort((a, b) =>
    turnover(a) === turnover(b) ? (a.source < b.source ? -1 : 1) : turnover(a) < turnover(b) ? 1 : -1,
  );
}

function isMatch({ source, minUnits, maxUnits }: TransactionFilter, row: Known): boolean {
  return (
    (source === undefined || row.source === source) &&
    (minUnits === undefined || row.amountUnits >= minUnits) &&
    (maxUnits === undefined || row.amountUnits <= maxUnits)
  );
}

async function listAll(store: Store, guild: Guild, query: Query): Promise<DetailedTransaction[]> {
  const { limit, source, minUnits, maxUnits } = query;
  const all: DetailedTransaction[] = [];
  let after: Parameters<Store['ledgerViews']['listGuild']>[1]['after'];
  do {
    const page = await store.ledgerViews.listGuild(guild, { limit, after, source, minUnits, maxUnits });
    expect(page.transactions.length).toBeLessThanOrEqual(limit);
    expect(page.next === undefined || page.transactions.length === limit).toBe(true);
    all.push(...page.transactions);
    after = page.next;
  } while (after !== undefined);
  return all;
}

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(items);
}

/** Newest first; within one moment each account's own order, the later ones first. */
function expectNewestFirst(listed: readonly DetailedTransaction[]): void {
  const last = new Map<string, number>();
  let lastMs = Number.POSITIVE_INFINITY;
  for (const { createdAtMs, playerId, seq } of listed) {
    expect(createdAtMs).toBeLessThanOrEqual(lastMs);
    expect(seq).toBeLessThan(last.get(playerId) ?? Number.POSITIVE_INFINITY);
    last.set(playerId, seq);
    lastMs = createdAtMs;
  }
}

export function describeDailySumsProperties(createPlace: CreatePlace): void {
  describe('after any posts, imports, repeats and refusals, through two stores', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let stores: [Store, Store];
    let rounds = 0;

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      stores = [place.store, await place.openAnother()];
    });
    afterAll(() => place.close());

    async function foundGuilds(): Promise<Guild[]> {
      rounds += 1;
      const found = (name: string, overdraftAllowed: boolean) =>
        place.store.guilds.set(aGuild({ guildId: `${name} ${rounds}`, overdraftAllowed }), CHANGE);
      return Promise.all([found('lenient', true), found('strict', false), found('other', true)]);
    }

    async function rowsOf(guilds: readonly Guild[], known: Map<string, Known>): Promise<Row[][]> {
      const { transactions } = await place.readLedger(guilds);
      return guilds.map(({ guildNo }) =>
        transactions
          .filter((row) => row.guildNo === guildNo)
          .map((row) => ({ ...row, ...(known.get(row.transactionId) as Known) })),
      );
    }

    it('sums, balances and totals are what the transactions say', async () => {
      await fc.assert(
        fc.asyncProperty(PLAN, QUERY, async (plan, query) => {
          const guilds = await foundGuilds();
          const rows = await rowsOf(guilds, await carryOut(stores, guilds, plan));
          const views = place.store.ledgerViews;
          const wide = { since: -10, until: dayOf(NOON_MS) + 10 };
          const today = dayOf(NOON_MS);
          const narrow = { since: today + query.range[0], until: today + query.range[1] };
          for (const [index, guild] of guilds.entries()) {
            const own = rows[index] ?? [];
            for (const range of [wide, narrow]) {
              expect(await views.days(guild, range)).toEqual(expectedDays(own, range));
              const sources = expectedSources(own, range);
              expect(await views.topSources(guild, range, 100)).toEqual(sources);
              expect(await views.topSources(guild, range, 2)).toEqual(sources.slice(0, 2));
            }
            const accounts = Map.groupBy(own, (row) => row.playerId);
            const { depositUnits, withdrawalUnits } = sumsOf(own);
            expect(await views.totals(guild)).toEqual({
              accounts: accounts.size,
              transactions: own.length,
              balanceUnits: depositUnits - withdrawalUnits,
            });
            const balances = Array.from(accounts.values(), (some) =>
              // Any order of the rows: numbers would round on the way.
              Number(some.reduce((sum, row) => sum + BigInt(row.totalUnits), 0n)),
            );
            const largest = await views.largestBalances(guild, 10);
            expect(largest.map(({ balanceUnits }) => balanceUnits)).toEqual(balances.sort((a, b) => b - a));
          }
        }),
        { numRuns: depth({ normal: 12, deep: 40 }) },
      );
    });

    it("a guild's list has every transaction that matches once, newest first, on pages of any size", async () => {
      await fc.assert(
        fc.asyncProperty(PLAN, fc.array(QUERY, { minLength: 3, maxLength: 3 }), async (plan, queries) => {
          const guilds = await foundGuilds();
          const rows = await rowsOf(guilds, await carryOut(stores, guilds, plan));
          for (const query of queries) {
            const guild = guilds[query.guild] as Guild;
            const own = (rows[query.guild] ?? []).filter((row) => isMatch(query, row));
            const listed = await listAll(place.store, guild, query);
            expectNewestFirst(listed);
            expect(listed.map(({ transactionId }) => transactionId).sort()).toEqual(
              own.map(({ transactionId }) => transactionId).sort(),
            );
            expect(await gather(place.store.ledgerViews.readGuild(guild, query))).toEqual(listed);
            const { limit, source, minUnits, maxUnits } = query;
            const filter = { source, minUnits, maxUnits };
            const first = await place.store.ledgerViews.listGuild(guild, {
              ...filter,
              limit,
            });
            // No transaction has an amount of 0: such a bound means deposits or withdrawals, which have counts.
            const hasAmount = [minUnits, maxUnits].some((bound) => bound !== undefined && bound !== 0);
            expect(first.total).toBe(hasAmount ? undefined : own.length);
          }
        }),
        { numRuns: depth({ normal: 10, deep: 30 }) },
      );
    });

    it("an account's detailed list has the rows, order and total of the plain one", async () => {
      const sorts = fc.record({
        sortBy: fc.constantFrom('amount', 'quantity', 'total', 'createdAt'),
        sortOrder: fc.constantFrom('asc', 'desc'),
        page: fc.integer({ min: 1, max: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(PLAN, QUERY, sorts, async (plan, filter, sort) => {
          const guilds = await foundGuilds();
          await carryOut(stores, guilds, plan);
          const guild = guilds[filter.guild] as Guild;
          const { limit, source, minUnits, maxUnits } = filter;
          const query = aQuery({ limit, source, minUnits, maxUnits, ...sort } as never);
          const { ledger, ledgerViews } = place.store;
          const plain = await ledger.list(guild, 'p', query);
          const detailed = await ledgerViews.list(guild, 'p', query);
          expect(detailed.total).toBe(plain.total);
          expect(detailed.transactions).toMatchObject(plain.transactions);
          const all = await ledger.list(guild, 'p', { ...query, page: 1, limit: 1_000 });
          const read = await gather(ledgerViews.read(guild, 'p', query));
          expect(read.map(({ transactionId }) => transactionId)).toEqual(
            all.transactions.map(({ transactionId }) => transactionId),
          );
        }),
        { numRuns: depth({ normal: 10, deep: 30 }) },
      );
    });
  });
}
