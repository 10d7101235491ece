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
