import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import type { BalanceSpan } from '../../src/domain/ledger/balance-span.ts';
import type { GuildListingQuery, MoneySums, ViewFilter } from '../../src/domain/ledger/ledger-views.ts';
import type { Guild } from '../../src/domain/model.ts';
import { depth } from '../support/depth.ts';
import { FILTER, isIn, isMatch, ORDER, ROW, type Row, START_MS, STEP_MS, TIMES } from './random-views.ts';
import { aGuild, aPastTransaction, aQuery, aVerification, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';
import { expectParts, sumsOf } from './summed-parts.ts';
import { NO_FILTER } from './view-specimens.ts';

/** The ranges, searches and sums of the money pages against a plain model, over random ledgers. */
export function describeViewRanges(createPlace: CreatePlace): void {
  describe('ranges of the money pages', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let count = 0;
    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      await place.store.verifications.put(
        [aVerification({ chatId: 'c2', playerId: 'p2', username: 'Two' })],
        CHANGE,
      );
    });
    afterAll(() => place.close());

    /** A guild with these transactions, each account's in the order of time. */
    async function fill(
      rows: readonly Parameters<typeof aPastTransaction>[1][],
    ): Promise<{ guild: Guild; rows: Row[] }> {
      count += 1;
      const guild = await place.store.guilds.set(aGuild({ guildId: `ranges ${count}` }), CHANGE);
      const ordered = rows
        .map((row) => aPastTransaction(guild, row))
        .sort((one, other) => one.createdAtMs - other.createdAtMs);
      await place.store.ledger.import(guild, ordered);
      return { guild, rows: ordered };
    }

    async function listAll(guild: Guild, query: GuildListingQuery) {
      const pages = [];
      let after: GuildListingQuery['after'];
      do {
        const page = await place.store.ledgerViews.listGuild(guild, { ...query, after });
        pages.push(page);
        after = page.next;
      } while (after !== undefined);
      return { total: pages[0]?.total, transactions: pages.flatMap((page) => page.transactions) };
    }

    it('the id of a transaction finds it alone, in lists and files, when it passes the other filters', async () => {
      const { ledgerViews: views } = place.store;
      const { guild, rows } = await fill([{ createdAtMs: 5, source: 'shop' }, { createdAtMs: 7 }]);
      const { transactionId = '' } = rows[0] ?? {};
      const search = transactionId.toUpperCase();
      const find = async (filter: Partial<ViewFilter>) => {
        const wanted = { ...NO_FILTER, search, ...filter };
        const { transactions, total } = await listAll(guild, { ...wanted, limit: 5 });
        expect(await Array.fromAsync(views.readGuild(guild, wanted))).toEqual(transactions);
        expect(total).toBe(transactions.length);
        const sums = sumsOf(rows.slice(0, transactions.length));
        expect(await views.filteredSums(guild, wanted)).toEqual({ ...sums, searchedToMs: undefined });
        return transactions.map((row) => row.transactionId);
      };
      for (const filter of [{}, { source: 'shop' }, { sinceMs: 5, untilMs: 6 }]) {
        expect(await find(filter)).toEqual([transactionId]);
      }
      for (const filter of [{ source: 'Quest' }, { minUnits: 90_000_000 }, { sinceMs: 6 }, { untilMs: 5 }]) {
        expect(await find(filter)).toEqual([]);
      }
      const { guild: other } = await fill([{ createdAtMs: 5, name: `Refund of ${transactionId}` }]);
      const elsewhere = await listAll(other, { ...NO_FILTER, search: transactionId, limit: 5 });
      expect(elsewhere.transactions).toMatchObject([{ name: `Refund of ${transactionId}` }]);
    });

    it('lists, files, counts and sums of any range are what the transactions say', async () => {
      const { ledgerViews: views } = place.store;
      await fc.assert(
        fc.asyncProperty(
          // Without the size there would be twelve at most, and the spans of a chart would be single transactions.
          fc.array(ROW, { minLength: 1, maxLength: 40, size: 'max' }),
          fc.array(fc.tuple(TIMES, FILTER, ORDER), { minLength: 6, maxLength: 6 }),
          async (drawn, queries) => {
            const { guild, rows } = await fill(drawn);
            for (const [times, filter, order] of queries) {
              const wanted = { ...times, ...filter };
              const own = rows.filter((row) => isMatch(wanted, row));
              const { transactions, total } = await listAll(guild, { ...wanted, ...order, limit: 7 });
              const ids = (some: readonly { transactionId: string }[]) =>
                some.map((row) => row.transactionId);
              expect(ids(transactions).sort()).toEqual(ids(own).sort());
              const values = transactions.map(
                (row) =>
                  ({
                    createdAt: row.createdAtMs,
                    amount: row.amountUnits,
                    quantity: row.quantity,
                    total: row.totalUnits,
                  })[order.sortBy],
              );
              const sorted = values.toSorted((a, b) => (order.sortOrder === 'asc' ? a - b : b - a));
              expect(values).toEqual(sorted);
              const isCounted =
                filter.search === undefined &&
                [filter.minUnits, filter.maxUnits].every((bound) => bound === undefined || bound === 0);
              expect(total).toBe(isCounted ? own.length : undefined);
              const filed = await Array.fromAsync(views.readGuild(guild, wanted, order.sortOrder));
              const byTime = await listAll(guild, { ...wanted, sortOrder: order.sortOrder, limit: 100 });
              expect(filed).toEqual(byTime.transactions);
              expect(await views.filteredSums(guild, wanted)).toEqual({
                ...sumsOf(own),
                searchedToMs: undefined,
              });

              const { sinceMs = START_MS - DAY_MS, untilMs = START_MS + 9 * DAY_MS } = times;
              const inside = rows.filter(isIn({ sinceMs, untilMs }));
              const opened = new Set(rows.map((row) => row.playerId)).difference(
                new Set(rows.filter((row) => row.createdAtMs < sinceMs).map((row) => row.playerId)),
              );
              expect(await views.spanSums(guild, [sinceMs, untilMs])).toEqual([
                {
                  ...sumsOf(inside),
                  accountsOpened: [...opened].filter((id) => inside.some((row) => row.playerId === id))
                    .length,
                },
              ]);
              await expectParts(views, guild, { rows, sinceMs, untilMs });
              await expectPlayers(guild, inside, { sinceMs, untilMs });
              await expectAccount(guild, rows, { times, filter, order });
            }
          },
        ),
        { numRuns: depth({ normal: 6, deep: 60 }) },
      );
    });

    async function expectPlayers(
      guild: Guild,
      inside: readonly Row[],
      times: { sinceMs: number; untilMs: number },
    ) {
      const { earners, spenders, searchedToMs } = await place.store.ledgerViews.topPlayers(guild, times, 2);
      expect(searchedToMs).toBeUndefined();
      const byPlayer = Array.from(
        Map.groupBy(inside, (row) => row.playerId),
        ([playerId, some]) => ({
          playerId,
          ...sumsOf(some),
        }),
      );
      const best = (pick: (sums: MoneySums) => bigint) =>
        byPlayer
          .map(pick)
          .filter((units) => units > 0n)
          .sort((a, b) => (a < b ? 1 : -1))
          .slice(0, 2);
      expect(earners.map(({ units }) => units)).toEqual(best((sums) => sums.depositUnits));
      expect(spenders.map(({ units }) => units)).toEqual(best((sums) => sums.withdrawalUnits));
      for (const { playerId, username, units, count: times2 } of earners) {
        const sums = byPlayer.find((one) => one.playerId === playerId);
        expect([units, times2]).toEqual([sums?.depositUnits, sums?.depositCount]);
        expect(username).toBe(playerId === 'p2' ? 'Two' : undefined);
      }
    }

    async function expectAccount(
      guild: Guild,
      rows: readonly Row[],
      asked: {
        times: { sinceMs: number | undefined; untilMs: number | undefined };
        filter: ViewFilter;
        order: Pick<GuildListingQuery, 'sortBy' | 'sortOrder'>;
      },
    ) {
      const { ledgerViews: views } = place.store;
      const { times, order } = asked;
      const { search: _search, ...filter } = asked.filter;
      const own = rows.filter((row) => row.playerId === 'p1');
      const inside = own.filter(isIn(times));
      const query = { ...aQuery(), ...filter, ...order, ...times } as Parameters<typeof views.list>[2];
      const matching = inside.filter((row) => isMatch({ ...filter, ...times }, row));
      const { transactions, total } = await views.list(guild, 'p1', query);
      expect(total).toBe(matching.length);
      const ids = (some: readonly { transactionId: string }[]) => some.map((row) => row.transactionId).sort();
      expect(ids(transactions)).toEqual(ids(matching));
      expect(await Array.fromAsync(views.read(guild, 'p1', query))).toEqual(transactions);
      const second = await views.list(guild, 'p1', { ...query, limit: 2, page: 2 });
      expect(second).toEqual({ transactions: transactions.slice(2, 4), total });
      if (own.length === 0) {
        expect(await views.accountSums(guild, 'p1', times, 5)).toBeUndefined();
        return;
      }
      const balance = (some: readonly Row[]) => some.reduce((sum, row) => sum + row.totalUnits, 0);
      const { sinceMs = -Infinity } = times;
      const opening = balance(own.filter((row) => row.createdAtMs < sinceMs));
      const sums = await views.accountSums(guild, 'p1', times, 5);
      expect(sums).toMatchObject({
        openingUnits: opening,
        closingUnits: opening + balance(inside),
        all: sumsOf(inside),
      });
      expect(Object.fromEntries(sums?.sources.map(({ source, ...rest }) => [source, rest]) ?? [])).toEqual(
        Object.fromEntries(
          Array.from(
            Map.groupBy(inside, (row) => row.source),
            ([source, some]) => [source, sumsOf(some)],
          ),
        ),
      );
      const history = await views.history(guild, 'p1', 100, times);
      expect(history.map(({ fromMs }) => fromMs)).toEqual(inside.map((row) => row.createdAtMs));
      expect(history.at(-1)?.lastUnits ?? opening).toBe(opening + balance(inside));
      for (const spansMax of [100, 3]) {
        const spans = await views.history(guild, 'p1', spansMax, times);
        expect(spans.length).toBeLessThanOrEqual(spansMax);
        expectSpans(spans, inside, opening);
      }
    }

    /** At every hour, the spans of a chart have the balance of the ledger: between two bounds, or exactly. */
    function expectSpans(spans: readonly BalanceSpan[], inside: readonly Row[], openingUnits: number) {
      for (let atMs = START_MS - 2 * STEP_MS; atMs <= START_MS + 98 * STEP_MS; atMs += STEP_MS) {
        const passed = inside.filter((row) => row.createdAtMs <= atMs);
        const balance = passed.reduce((sum, row) => sum + row.totalUnits, openingUnits);
        const last = spans.findLast(({ fromMs }) => fromMs <= atMs);
        if (last !== undefined && atMs < last.toMs) {
          expect(last.lowestUnits).toBeLessThanOrEqual(balance);
          expect(last.highestUnits).toBeGreaterThanOrEqual(balance);
        } else {
          expect(last?.lastUnits ?? openingUnits).toBe(balance);
        }
      }
    }

    it('accounts below zero come the lowest first, and only those of the guild', async () => {
      const { guild } = await fill([
        { playerId: 'rich', amountUnits: 5 },
        { playerId: 'poor', amountUnits: -7 },
        { playerId: 'poorest', amountUnits: -9 },
        { playerId: 'none', amountUnits: 3 },
        { playerId: 'none', amountUnits: -3, createdAtMs: NOON_MS + 1 },
      ]);
      await fill([{ playerId: 'elsewhere', amountUnits: -100 }]);
      const { players, count: below } = await place.store.ledgerViews.overdrawn(guild, 1);
      expect([players.map(({ playerId }) => playerId), below]).toEqual([['poorest'], 2]);
    });

    it('a transaction is found by its id, in its own guild alone', async () => {
      const { guild, rows } = await fill([{ playerId: 'p2', name: 'One' }]);
      const { guild: other } = await fill([{ playerId: 'p2' }]);
      const id = rows[0]?.transactionId ?? '';
      const { ledgerViews: views } = place.store;
      expect(await views.find(guild, id)).toEqual(
        (await views.listGuild(guild, { ...aQuery() })).transactions[0],
      );
      expect(await views.find(guild, id)).toMatchObject({ name: 'One', username: 'Two', seq: 1 });
      expect(await views.find(other, id)).toBeUndefined();
      expect(await views.find(guild, '00000000-0000-7000-8000-000000000000')).toBeUndefined();
    });
  });
}
