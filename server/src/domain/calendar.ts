/** A day is a day in UTC, as the number of days since 1970-01-01; negative before that. */

export const DAY_MS = 86_400_000;

/** Days from the first to the last, both included. */
export interface DayRange {
  since: number;
  until: number;
}

export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

export const HOUR_MS = 3_600_000;

/** An hour in UTC, as the number of hours since 1970. */
export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS);
}

export function startOfDayMs(day: number): number {
  return day * DAY_MS;
}

/** Parses `2027-01-31`. The caller has checked the form. */
export function parseDay(text: string): number {
  return dayOf(Date.parse(`${text}T00:00:00Z`));
}

export function dayText(day: number): string {
  return new Date(startOfDayMs(day)).toISOString().slice(0, 10);
}

/** The time from the start of the first day to the end of the last. */
export function timesOfDays({ since, until }: DayRange): { sinceMs: number; untilMs: number } {
  return { sinceMs: startOfDayMs(since), untilMs: startOfDayMs(until + 1) };
}
