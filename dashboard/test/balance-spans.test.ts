import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BalanceSpan } from '../src/api/players.ts';
import { drawnSpans, isBand, joinSpans, lineCorners } from '../src/charts/balance-spans.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');

/** Transactions in order of time, and the number of them in each column of the chart. */
const ledger = fc.record({
  opening: fc.integer({ min: -500, max: 500 }),
  steps: fc.array(
    fc.record({ waitMs: fc.integer({ min: 0, max: 5_000 }), total: fc.integer({ min: -300, max: 300 }) }),
    // Without the size there would be twelve at most, and no neighbours to join.
    { minLength: 1, maxLength: 60, size: 'max' },
  ),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 60, maxLength: 60 }),
  leadMs: fc.option(fc.integer({ min: 1, max: 9_000 }), { nil: undefined }),
});

interface Point {
  atMs: number;
  balance: number;
}

function pointsOf(opening: number, steps: readonly { waitMs: number; total: number }[]): Point[] {
  let [atMs, balance] = [startMs, opening];
  return steps.map(({ waitMs, total }) => {
    atMs += waitMs;
    balance += total;
    return { atMs, balance };
  });
}

/** The points in groups, as the service sends them. */
function historyOf(points: readonly Point[], sizes: readonly number[]): BalanceSpan[] {
  const groups: Point[][] = [];
  let taken = 0;
  for (const size of sizes) {
    const group = points.slice(taken, taken + size);
    if (group.length > 0) groups.push(group);
    taken += size;
  }
  return groups.map((group) => {
    const balances = group.map(({ balance }) => balance);
    const at = (point: Point | undefined) => new Date(point?.atMs ?? 0).toISOString();
    const first = { at: at(group[0]), balance: String(balances[0]) };
    if (group.length === 1) return first;
    const end = {
      at: at(group.at(-1)),
      balance: String(balances.at(-1)),
      lowest: String(Math.min(...balances)),
      highest: String(Math.max(...balances)),
    };
    return { ...first, end };
  });
}

describe('the chart of a balance', () => {
  test('has at every moment the balance of the ledger, in its band or exactly', () => {
    fc.assert(
      fc.property(ledger, ({ opening, steps, sizes, leadMs }) => {
        const points = pointsOf(opening, steps);
        const endMs = (points.at(-1)?.atMs ?? startMs) + 4_000;
        const sinceMs = leadMs === undefined ? undefined : startMs - leadMs;
        const range = { opening: String(opening), sinceMs, untilMs: undefined, nowMs: endMs };
        const spans = drawnSpans(historyOf(points, sizes), range);
        const corners = lineCorners(spans);
        expect(spans.at(-1)?.toMs).toBe(endMs);
        for (const shown of [spans, joinSpans(spans, 7)]) {
          for (let atMs = sinceMs ?? points[0]?.atMs ?? startMs; atMs <= endMs; atMs += 250) {
            const balance = points.findLast((point) => point.atMs <= atMs)?.balance ?? opening;
            const last = shown.findLast(({ fromMs }) => fromMs <= atMs);
            if (last && atMs < last.toMs) {
              expect(Number(last.lowest)).toBeLessThanOrEqual(balance);
              expect(Number(last.highest)).toBeGreaterThanOrEqual(balance);
            } else {
              expect(Number(last?.last)).toBe(balance);
              const before = corners.findLast((corner) => corner.atMs <= atMs);
              if (shown === spans) expect(Number(before?.balance)).toBe(balance);
            }
          }
        }
        expect(joinSpans(spans, 7).length).toBeLessThanOrEqual(7);
      }),
      { numRuns: 200 },
    );
  });

  test('has a line that stays inside its bands', () => {
    const history = historyOf(
      [
        { atMs: startMs, balance: 5 },
        { atMs: startMs + 10, balance: -3 },
        { atMs: startMs + 20, balance: 9 },
        { atMs: startMs + 50, balance: 7 },
      ],
      [3, 1],
    );
    const all = { opening: '0', sinceMs: undefined, untilMs: undefined, nowMs: startMs + 5_000 };
    const spans = drawnSpans(history, all);
    expect(spans.filter(isBand)).toEqual([
      { fromMs: startMs, toMs: startMs + 20, first: '5', last: '9', lowest: '-3', highest: '9' },
    ]);
    expect(lineCorners(spans).map(({ atMs, balance }) => [atMs - startMs, balance])).toEqual([
      [0, '5'],
      [20, '9'],
      [50, '9'],
      [50, '7'],
      [5_000, '7'],
      [5_000, '7'],
    ]);
  });

  test('goes on to the present', () => {
    const history = [{ at: '2026-01-01T00:00:00Z', balance: '5' }];
    const all = { opening: '0', sinceMs: undefined, untilMs: undefined, nowMs: startMs + 1_000_000 };
    expect(drawnSpans(history, all).map(({ last }) => last)).toEqual(['5', '5']);
    expect(drawnSpans([], all)).toEqual([]);
    const ahead = drawnSpans(history, { ...all, nowMs: startMs - 1_000_000 });
    expect((ahead[1]?.fromMs ?? 0) - (ahead[0]?.fromMs ?? 0)).toBeGreaterThan(0);
  });

  test('begins and ends where its range does', () => {
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
    const range = {
      opening: '3',
      sinceMs: day('2025-12-01'),
      untilMs: day('2026-01-05'),
      nowMs: day('2026-02-01'),
    };
    const spans = drawnSpans([{ at: '2026-01-01T00:00:00Z', balance: '5' }], range);
    expect(spans.map(({ fromMs, last }) => [fromMs, last])).toEqual([
      [day('2025-12-01'), '3'],
      [day('2026-01-01'), '5'],
      [day('2026-01-05'), '5'],
    ]);
  });
});
