/** Days are days in UTC, counted from 1970: one number each, before 1970 a negative one. */

export const DAY_MS = 86_400_000;

/** Days from the first to the last, both included. */
export interface DayRange {
  since: number;
  until: number;
}

export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

export function startOfDayMs(day: number): number {
  return day * DAY_MS;
}

/** `2027-01-31`, from a text that was checked to be one. */
export function parseDay(text: string): number {
  return dayOf(Date.parse(`${text}T00:00:00Z`));
}

export function dayText(day: number): string {
  return new Date(startOfDayMs(day)).toISOString().slice(0, 10);
}

/** The month of a moment up to its day, and the same days of the month before, as far as that one has them. */
export function monthSoFar(nowMs: number): { current: DayRange; previous: DayRange } {
  const now = new Date(nowMs);
  const until = dayOf(nowMs);
  const since = until - now.getUTCDate() + 1;
  const previousSince = dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  const previousUntil = Math.min(previousSince + (until - since), since - 1);
  return { current: { since, until }, previous: { since: previousSince, until: previousUntil } };
}
