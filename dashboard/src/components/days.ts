import { dateLanguage, dayForm } from '../texts/languages.ts';
// Days are dates of the guild's calendar, written `2027-01-31`. Dates are counted in UTC, where every day has 24 hours.

import { lazily } from './lazily.ts';

const dayMs = 86_400_000;
const full = utcFormat(dayForm);
const short = utcFormat({ day: 'numeric', month: 'short' });
const month = utcFormat({ month: 'short', year: 'numeric' });

function utcFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return lazily(() => new Intl.DateTimeFormat(dateLanguage, { ...options, timeZone: 'UTC' }));
}

/** Both ends included; '' is an open end. */
export interface DayRange {
  since: string;
  until: string;
}

export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function dayOf(momentMs: number): string {
  return new Date(momentMs).toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  return dayOf(startOfDay(day) + count * dayMs);
}

/** The number of days of a range, both ends included. */
export function countDays(since: string, until: string): number {
  return Math.round((startOfDay(until) - startOfDay(since)) / dayMs) + 1;
}

/** The Monday of the day's week. */
export function mondayOf(day: string): string {
  const weekday = (new Date(startOfDay(day)).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** "31 Jan 2027" */
export function formatDay(day: string): string {
  return full().format(startOfDay(day));
}

/** "31 Jan", for places where the year is obvious. */
export function formatShortDay(day: string): string {
  return short().format(startOfDay(day));
}

/** "Jan 2027" */
export function formatMonth(day: string): string {
  return month().format(startOfDay(day));
}

/** "1–15 Jan 2027" */
export function formatDays(since: string, until: string): string {
  return full().formatRange(startOfDay(since), startOfDay(until));
}

/** "1–15 Jan" */
export function formatShortDays(since: string, until: string): string {
  return short().formatRange(startOfDay(since), startOfDay(until));
}
