import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, dayOf, dayText, startOfDayMs } from '../../src/domain/calendar.ts';
import { sumText } from '../../src/domain/ledger/amount.ts';
import type { PastTransaction } from '../../src/domain/model.ts';
import {
  GuildTransactionsReply,
  OverviewReply,
  TransactionDetailsReply,
} from '../../src/wire/dashboard-ledger.ts';
import { PlayerActivityReply } from '../../src/wire/dashboard-statements.ts';
import { aPastTransaction, CHANGE } from '../contract/specimens.ts';
import { depth } from '../support/depth.ts';
import { type DashboardService, type SignedInBrowser, startDashboardService } from './dashboard-service.ts';
import { guildPath, readData } from './ledger-pages.ts';

// The tests' clock starts at noon of this day.
const TODAY = dayOf(Date.parse('2026-06-15T12:00:00Z'));
const HOUR_MS = 3_600_000;
const NOW_MS = startOfDayMs(TODAY) + 12 * HOUR_MS;

let service: DashboardService;
let founded = 0;
beforeAll(async () => {
  service = await startDashboardService();
});
afterAll(() => service.stop());

const ROW = fc.record({
  playerId: fc.constantFrom('p1', 'p2', 'p3'),
  name: fc.constantFrom('Iron Ingot', 'Copper Nail'),
  source: fc.constantFrom('shop', 'quest', 'bank'),
  quantity: fc.integer({ min: 1, max: 5 }),
  amountUnits: fc.integer({ min: -50_000, max: 50_000 }).filter((units) => units !== 0),
  // Up to the present moment, on both sides of many midnights.
  hoursAgo: fc.integer({ min: 0, max: 24 * 40 }),
});
/** Calendars of guilds, with the distance from UTC that they had in all of those days. */
const CALENDAR = fc.constantFrom(
  { timeZone: null, shiftMs: 0 },
  { timeZone: 'Asia/Tokyo', shiftMs: 9 * HOUR_MS },
  { timeZone: 'America/New_York', shiftMs: -4 * HOUR_MS },
  { timeZone: 'Asia/Kathmandu', shiftMs: 5.75 * HOUR_MS },
);
const RANGE = fc.record({ last: fc.integer({ min: 0, max: 20 }), length: fc.integer({ min: 1, max: 20 }) });

function sums(rows: readonly PastTransaction[]) {
  const units = (some: readonly PastTransaction[]) =>
    some.reduce((sum, { totalUnits }) => sum + BigInt(totalUnits), 0n);
  const deposits = rows.filter(({ totalUnits }) => totalUnits > 0);
  const withdrawals = rows.filter(({ totalUnits }) => totalUnits < 0);
  return {
    deposits: sumText(units(deposits)),
    withdrawals: sumText(-units(withdrawals)),
    depositCount: deposits.length,
    withdrawalCount: withdrawals.length,
  };
}

async function foundFilledGuild(
  drawn: readonly (Parameters<typeof aPastTransaction>[1] & { hoursAgo: number })[],
  { timeZone, shiftMs }: { timeZone: string | null; shiftMs: number } = { timeZone: null, shiftMs: 0 },
) {
  founded += 1;
  const guildId = `numbers-${founded}`;
  await service.foundGuild(guildId, 'pia', { plan: 'none' });
  const pia = await service.signIn('pia');
  const guild = await service.guilds.set({ guildId, timeZone }, CHANGE.actor);
  const rows = drawn
    .map(({ hoursAgo, ...row }) =>
      aPastTransaction(guild, {
        ...row,
        createdAtMs: NOW_MS - hoursAgo * HOUR_MS,
      }),
    )
    .sort((one, other) => one.createdAtMs - other.createdAtMs);
  await service.store.ledger.import(guild, rows);
  return { guildId, pia, rows, shiftMs };
}

interface Asked {
  pia: SignedInBrowser;
  guildId: string;
  rows: readonly PastTransaction[];
  shiftMs: number;
}

/** Every figure of the overview leads to rows, and those rows add up to it. */
async function compareOverview(
  { pia, guildId, rows, shiftMs }: Asked,
  since: number,
  until: number,
): Promise<void> {
  const startMs = (day: number) => startOfDayMs(day) - shiftMs;
  const query = `?since=${dayText(since)}&until=${dayText(until)}`;
  const { data } = await readData(pia, guildPath(`/overview${query}`, guildId), OverviewReply);
  const between = (fromMs: number, toMs: number) =>
    rows.filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs);
  const inside = between(startMs(since), startMs(until + 1));
  const length = until - since + 1;
  const isUnderWay = until >= TODAY && since <= TODAY;
  const cutMs = isUnderWay ? NOW_MS - length * DAY_MS : startMs(since);
  const before = between(startMs(since - length), cutMs);
  for (const name of ['deposits', 'withdrawals'] as const) {
    expect(data.figures[name]).toEqual({ current: sums(inside)[name], previous: sums(before)[name] });
  }
  const count = (some: readonly unknown[]) => some.length;
  expect(data.figures.transactions).toEqual({ current: count(inside), previous: count(before) });
  const total = (some: readonly PastTransaction[]) =>
    sumText(some.reduce((sum, { totalUnits }) => sum + BigInt(totalUnits), 0n));
  expect([data.balance, data.opening]).toEqual([total(rows), total(between(-Infinity, startMs(since)))]);
  const past = between(-Infinity, startMs(until + 1));
  expect(data.closing).toEqual({
    balance: total(past),
    accounts: new Set(past.map(({ playerId }) => playerId)).size,
  });
  expect(data.days).toEqual(
    Array.from(
      Map.groupBy(inside, (row) => dayOf(row.createdAtMs + shiftMs)),
      ([day, some]) => ({
        day: dayText(day),
        ...sums(some),
      }),
    ),
  );
  for (const { source, ...money } of data.sources) {
    expect(money).toEqual(sums(inside.filter((row) => row.source === source)));
    // The address that the page links to has exactly these rows.
    const times = `since=${new Date(startMs(since)).toISOString()}&until=${new Date(startMs(until + 1)).toISOString()}`;
    const path = guildPath(`/transactions?from=${source}&minAmount=0&limit=100&${times}`, guildId);
    const listed = (await readData(pia, path, GuildTransactionsReply)).data;
    expect([listed.total, listed.transactions.length]).toEqual([
      money.depositCount,
      Math.min(money.depositCount, 100),
    ]);
  }
}

/** A list in any order, its file, and the account's own figures. */
async function compareLists({ pia, guildId, rows }: Asked, sinceMs: number, untilMs: number): Promise<void> {
  const times = `since=${new Date(sinceMs).toISOString()}&until=${new Date(untilMs).toISOString()}`;
  const inside = rows.filter(({ createdAtMs }) => createdAtMs >= sinceMs && createdAtMs < untilMs);
  for (const [order, search] of [
    ['sortBy=total&sortOrder=asc', ''],
    ['sortBy=createdAt&sortOrder=asc', 'NAIL'],
  ]) {
    const query = `?${order}&search=${search}&${times}`;
    const own = inside.filter(({ name }) => search === '' || name === 'Copper Nail');
    const path = guildPath(`/transactions${query}&limit=100`, guildId);
    const { transactions } = (await readData(pia, path, GuildTransactionsReply)).data;
    expect(transactions).toHaveLength(own.length);
    const file = await pia.go(guildPath(`/transactions.csv${query}&timeZone=Asia/Kathmandu`, guildId));
    const filed: Record<string, string>[] = parse(file.text, { columns: true, bom: true });
    expect(filed.map((row) => row.transactionId)).toEqual(
      transactions.map(({ transactionId }: { transactionId: string }) => transactionId),
    );
    expect(filed.map((row) => Date.parse(row.createdAt ?? ''))).toEqual(
      transactions.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt)),
    );
    expect(filed.every((row) => row.createdAt?.endsWith('+05:45'))).toBe(true);
  }
  const path = guildPath(`/players/p1/activity?${times}`, guildId);
  const { opening, closing, deposits, withdrawals } = (await readData(pia, path, PlayerActivityReply)).data;
  const mine = inside.filter(({ playerId }) => playerId === 'p1');
  expect({ deposits, withdrawals }).toEqual({
    deposits: sums(mine).deposits,
    withdrawals: sums(mine).withdrawals,
  });
  const balance = (toMs: number) =>
    sumText(
      rows
        .filter(({ playerId, createdAtMs }) => playerId === 'p1' && createdAtMs < toMs)
        .reduce((sum, { totalUnits }) => sum + BigInt(totalUnits), 0n),
    );
  expect([opening, closing]).toEqual([balance(sinceMs), balance(untilMs)]);
}

test('every number on the money pages is what the transactions of its range say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ROW, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.array(RANGE, { minLength: 3, maxLength: 3 }),
      CALENDAR,
      async (drawn, ranges, calendar) => {
        const asked = await foundFilledGuild(drawn, calendar);
        for (const { last, length } of ranges) {
          const until = TODAY - last;
          await compareOverview(asked, until - length + 1, until);
          await compareLists(
            asked,
            startOfDayMs(until - length) + 7 * HOUR_MS,
            startOfDayMs(until) + 3 * HOUR_MS,
          );
        }
      },
    ),
    { numRuns: depth({ normal: 6, deep: 60 }) },
  );
});

test('a transaction is read by its id, wherever it stands in the list, and nobody else’s', async () => {
  const one = { playerId: 'p1', name: 'One', source: 'shop', quantity: 1, amountUnits: 10_000, hoursAgo: 5 };
  const { pia, guildId, rows } = await foundFilledGuild([one]);
  const other = await foundFilledGuild([one]);
  const path = (id: string) => guildPath(`/transactions/${id}`, guildId);
  const { data } = await readData(pia, path(rows[0]?.transactionId ?? ''), TransactionDetailsReply);
  expect(data).toMatchObject({ name: 'One', playerId: 'p1', balanceAfter: '1', seq: 1 });
  for (const id of [other.rows[0]?.transactionId ?? '', 'no-id']) {
    expect((await pia.go(path(id))).body).toEqual({ success: true, data: null });
  }
});

test('a range that is none, a zone that is none and an order of too much are refused', async () => {
  const { pia, guildId } = await foundFilledGuild([]);
  const refusal = async (path: string) => (await pia.go(guildPath(path, guildId))).body.message;
  expect(await refusal('/transactions?since=2026-02-01T00:00:00Z&until=2026-02-01T00:00:00Z')).toBe(
    'Bad request - since must be before until',
  );
  expect(await refusal('/transactions?since=2026-02-01')).toMatch(/^Bad request - since must be /);
  expect(await refusal('/transactions.csv?timeZone=Middle/Earth')).toBe(
    'Bad request - timeZone must be the name of a time zone',
  );
});
