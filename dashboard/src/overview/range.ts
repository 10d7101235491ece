import { type DateRange, type RangeValues, resolveRange } from '../components/date-range.ts';
import { addDays, countDays, dayOf } from '../components/days.ts';

/** The service adds up no more days than these. */
export const daysMax = 3_660;

export interface OverviewRange {
  /** Days of UTC, both included: sums are kept by them. */
  since: string;
  until: string;
  range: DateRange;
}

/** The days that the address asks for. An open end, and what is longer than can be added up, is cut off. */
export function chooseDays(values: RangeValues, nowMs: number): OverviewRange {
  const range = resolveRange(values, { nowMs, usual: '30d', zone: 'UTC' });
  const today = dayOf(nowMs);
  const until = range.untilMs === undefined ? today : dayOf(range.untilMs - 1);
  const wanted = range.sinceMs === undefined ? addDays(until, 1 - daysMax) : dayOf(range.sinceMs);
  const since = countDays(wanted, until) > daysMax ? addDays(until, 1 - daysMax) : wanted;
  return { since, until, range };
}
