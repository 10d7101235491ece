import { parseDay, startOfDayMs } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import type { TimeRange } from '../model.ts';

/** Days in UTC such as `2027-01-31`, both included. A missing day is no bound. */
export interface Days {
  since?: string | undefined;
  until?: string | undefined;
}

/** The time from the start of the first day to the end of the last. */
export function rangeOfDays({ since, until }: Days): TimeRange {
  const range = {
    sinceMs: since === undefined ? Number.MIN_SAFE_INTEGER : startOfDayMs(parseDay(since)),
    untilMs: until === undefined ? Number.MAX_SAFE_INTEGER : startOfDayMs(parseDay(until) + 1),
  };
  if (range.sinceMs >= range.untilMs) {
    throw new DomainError('invalid_input', { detail: 'since must not be after until' });
  }
  return range;
}
