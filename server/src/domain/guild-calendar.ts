import { DAY_MS, dayOf, startOfDayMs } from './calendar.ts';

export const UTC = 'UTC';

/** The days of a time zone. A day has the number of its date, as in `calendar.ts`. */
export interface Calendar {
  readonly timeZone: string;
  dayOf(timeMs: number): number;
  /** The first moment of a day. A date that the zone skipped has no moments: it begins where the next one does. */
  startOfDayMs(day: number): number;
}

export const UTC_CALENDAR: Calendar = { timeZone: UTC, dayOf, startOfDayMs };

// Intl writes years outside of four digits differently. Offsets of other years are those at these ends.
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(9_000, 0, 1);
/** Every offset is shorter: zones are at most 14 hours ahead of UTC and 12 behind it. */
const REACH_MS = 15 * 3_600_000;

/** The calendar of a guild; undefined is UTC. Throws a RangeError for an unknown time zone. */
export function createCalendar(timeZone: string | undefined): Calendar {
  if (timeZone === undefined || timeZone === UTC) {
    return UTC_CALENDAR;
  }
  // The Swedish format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });

  function offsetMs(timeMs: number): number {
    const atMs = Math.floor(Math.min(Math.max(timeMs, FIRST_MS), LAST_MS) / 1_000) * 1_000;
    return Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`) - atMs;
  }

  const dayIn = (timeMs: number) => Math.floor((timeMs + offsetMs(timeMs)) / DAY_MS);
  return {
    timeZone,
    dayOf: dayIn,
    startOfDayMs(day) {
      const utcMs = startOfDayMs(day);
      const [before, after] = [offsetMs(utcMs - REACH_MS), offsetMs(utcMs + REACH_MS)];
      if (before === after) {
        return utcMs - before;
      }
      // The clock is changed around this midnight: the first of the two moments that is within the day.
      const candidates = [utcMs - before, utcMs - after];
      const inside = candidates.filter((timeMs) => dayIn(timeMs) === day);
      return inside.length > 0 ? Math.min(...inside) : Math.max(...candidates);
    },
  };
}
