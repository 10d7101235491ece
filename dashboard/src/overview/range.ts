import { type DateRange, type RangeValues, resolveRange } from '../components/date-range.ts';
import { addDays, countDays, dayOf } from '../components/days.ts';

/** The longest range that the service sums up, in days. */
export const daysMax = 3_660;

export interface OverviewRange {
  /** Days in UTC, both included, as for the stored sums. */
  since: string;
  until: string;
  range: DateRange;
}

/** The days in the address. Open ends and ranges that are too long are cut off. */
export function chooseDays(values: RangeValues, nowMs: number): OverviewRange {
  const range = resolveRange(values, { nowMs, usual: '30d', zone: 'UTC' });
  const today = dayOf(nowMs);
  const until = range.untilMs === undefined ? today : dayOf(range.untilMs - 1);
  const wanted = range.sinceMs === undefined ? addDays(until, 1 - daysMax) : dayOf(range.sinceMs);
  const since = countDays(wanted, until) > daysMax ? addDays(until, 1 - daysMax) : wanted;
  return { since, until, range };
}
