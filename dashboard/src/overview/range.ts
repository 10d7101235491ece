import type { Overview } from '../api/overview.ts';
import { type DateRange, type RangeValues, resolveRange } from '../components/date-range.ts';
import { addDays, countDays } from '../components/days.ts';
import { dayInZone } from '../components/time-zone.ts';

/** The longest range that the service sums up, in days. */
export const daysMax = 3_660;

export interface OverviewRange {
  /** Days of the guild's calendar, both included. */
  since: string;
  until: string;
  range: DateRange;
}

/** The days in the address. Open ends and ranges that are too long are cut off. */
export function chooseDays(values: RangeValues, nowMs: number): OverviewRange {
  const range = resolveRange(values, { nowMs, usual: '30d' });
  const until = dayInZone(range.untilMs === undefined ? nowMs : range.untilMs - 1);
  const wanted = range.sinceMs === undefined ? addDays(until, 1 - daysMax) : dayInZone(range.sinceMs);
  const since = countDays(wanted, until) > daysMax ? addDays(until, 1 - daysMax) : wanted;
  return { since, until, range };
}

export function isAllTimeIn(values: RangeValues): boolean {
  return resolveRange(values, { nowMs: 0, usual: '30d' }).preset === 'all';
}

/** The overview of all time without the days before the first transaction. */
export function fromFirstDay(overview: Overview): Overview {
  const { days, opening, range } = overview;
  const [first] = days;
  const isAllTime = countDays(range.since, range.until) >= daysMax;
  if (!isAllTime || first === undefined || opening !== '0') return overview;
  return { ...overview, range: { ...range, since: first.day } };
}
