import type { DayTurnover } from '../api/overview.ts';
import {
  addDays,
  countDays,
  formatDay,
  formatDays,
  formatMonth,
  formatShortDay,
  mondayOf,
} from '../components/days.ts';
import { addMoney } from '../components/money.ts';

export const steps = ['day', 'week', 'month'] as const;
export type Step = (typeof steps)[number];

/** One bar of the chart: a day, a week or a month, cut off at the ends of the range. */
export interface Bucket {
  since: string;
  until: string;
  label: string;
  shortLabel: string;
  deposits: string;
  withdrawals: string;
}

interface Range {
  since: string;
  until: string;
}

// Limits for a readable number of bars.
const dayBarsMax = 100;
const weeksFromDays = 21;
const weekBarsMax = 110;
const monthsFromDays = 90;

/** The steps that give a readable number of bars for a range; at least one. */
export function stepsFor({ since, until }: Range): Step[] {
  const days = countDays(since, until);
  return steps.filter((step) => {
    if (step === 'day') return days <= dayBarsMax;
    if (step === 'week') return days >= weeksFromDays && days <= weekBarsMax * 7;
    return days >= monthsFromDays;
  });
}

/** The requested step if it is possible; otherwise the finest one that gives a readable chart. */
export function stepOf(range: Range, wanted: Step | 'auto'): Step {
  const possible = stepsFor(range);
  const chosen = possible.find((step) => step === wanted);
  if (chosen) return chosen;
  const calmFrom = countDays(range.since, range.until) > 62 ? 'week' : 'day';
  return possible.find((step) => step === calmFrom) ?? possible[0] ?? 'month';
}

/** The bars of a range, including those without turnover. */
export function cutIntoBuckets(days: readonly DayTurnover[], range: Range, step: Step): Bucket[] {
  const buckets = new Map<string, Bucket>();
  let start = startOf(range.since, step);
  while (start <= range.until) {
    const next = nextStart(start, step);
    const since = start < range.since ? range.since : start;
    const until = addDays(next, -1) > range.until ? range.until : addDays(next, -1);
    buckets.set(start, {
      since,
      until,
      ...labelsOf({ since, until }, step),
      deposits: '0',
      withdrawals: '0',
    });
    start = next;
  }
  for (const { day, deposits, withdrawals } of days) {
    const bucket = buckets.get(startOf(day, step));
    if (!bucket) continue;
    bucket.deposits = addMoney(bucket.deposits, deposits);
    bucket.withdrawals = addMoney(bucket.withdrawals, withdrawals);
  }
  return [...buckets.values()];
}

function startOf(day: string, step: Step): string {
  if (step === 'day') return day;
  return step === 'week' ? mondayOf(day) : `${day.slice(0, 7)}-01`;
}

function nextStart(start: string, step: Step): string {
  if (step === 'day') return addDays(start, 1);
  // The 1st of a month plus 31 days is always in the next month.
  return step === 'week' ? addDays(start, 7) : `${addDays(start, 31).slice(0, 7)}-01`;
}

function labelsOf({ since, until }: Range, step: Step): { label: string; shortLabel: string } {
  if (step === 'day') return { label: formatDay(since), shortLabel: formatShortDay(since) };
  const shortLabel = step === 'week' ? formatShortDay(since) : formatMonth(since);
  return { label: formatDays(since, until), shortLabel };
}
