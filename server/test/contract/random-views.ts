import fc from 'fast-check';
import { DAY_MS } from '../../src/domain/calendar.ts';
import type { ViewFilter } from '../../src/domain/ledger/ledger-views.ts';
import type { PastTransaction } from '../../src/domain/model.ts';
import { NOON_MS } from './specimens.ts';

// Four days around noon, so that ranges begin and end within days, with few values, so that many are equal.
export const START_MS = NOON_MS - 2 * DAY_MS;
export const STEP_MS = DAY_MS / 24;
const MOMENT = fc.integer({ min: -2, max: 98 }).map((step) => START_MS + step * STEP_MS);
export const ROW = fc.record({
  playerId: fc.constantFrom('p1', 'p2', 'p3', 'Iron'),
  name: fc.constantFrom('Iron Ingot', 'copper NAIL', 'Ärmel', '100% _iron_'),
  source: fc.constantFrom('shop', 'Quest', 'iron mine'),
  quantity: fc.integer({ min: 1, max: 3 }),
  amountUnits: fc.constantFrom(-30_000, -1, 1, 5, 20_000, 20_000_000_000_000),
  createdAtMs: MOMENT,
});
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
export const TIMES = fc.tuple(optional(MOMENT), optional(MOMENT)).map(([one, other]) => {
  const isOrdered = one === undefined || other === undefined || one < other;
  return isOrdered ? { sinceMs: one, untilMs: other } : { sinceMs: other, untilMs: one + 1 };
});
export const FILTER = fc.record({
  source: optional(fc.constantFrom('shop', 'Quest', 'none')),
  minUnits: optional(fc.constantFrom(0, 5, 20_000)),
  maxUnits: optional(fc.constantFrom(0, 20_000)),
  search: optional(
    fc.constantFrom('iron', 'IRON', 'nail', 'ärmel', 'Ärmel', '%', '_', 'p2', 'quest', 'TWO', 'tw'),
  ),
});
export const ORDER = fc.record({
  sortBy: fc.constantFrom('createdAt', 'amount', 'quantity', 'total'),
  sortOrder: fc.constantFrom('asc', 'desc'),
});

export type Row = PastTransaction;

export const isIn = ({
  sinceMs = -Infinity,
  untilMs = Infinity,
}: Pick<ViewFilter, 'sinceMs' | 'untilMs'>) => {
  return ({ createdAtMs }: Row) => createdAtMs >= sinceMs && createdAtMs < untilMs;
};

/** The plain model of the filters. */
export function isMatch(filter: ViewFilter, row: Row): boolean {
  const { source, search, minUnits = -Infinity, maxUnits = Infinity } = filter;
  const lower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const isFound = (text: string) =>
    [row.name, row.source].some((one) => lower(one).includes(lower(text))) ||
    row.playerId === text ||
    // The verified name of p2.
    (row.playerId === 'p2' && 'two'.startsWith(text.toLowerCase()));
  return (
    isIn(filter)(row) &&
    (source === undefined || row.source === source) &&
    row.amountUnits >= minUnits &&
    row.amountUnits <= maxUnits &&
    (search === undefined || isFound(search))
  );
}
