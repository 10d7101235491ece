import { dateLanguage, dayForm } from '../texts/languages.ts';
import { formatDay } from './days.ts';
import { lazily } from './lazily.ts';
import { zonedFormat } from './time-zone.ts';

const plainDate = /^\d{4}-\d{2}-\d{2}$/;

const zonedDay = zonedFormat(dayForm);
const longPlainDay = lazily(
  () => new Intl.DateTimeFormat(dateLanguage, { dateStyle: 'full', timeZone: 'UTC' }),
);

/** A date without a time is a day everywhere; it must not be shifted by the reader's time zone. */
export function isPlainDate(date: string): boolean {
  return plainDate.test(date);
}

/** The day in lists: "23 Nov 2024". A text that is no date is shown unchanged. */
export function shortDay(date: string): string {
  const momentMs = Date.parse(date);
  if (Number.isNaN(momentMs)) return date;
  return isPlainDate(date) ? formatDay(date) : zonedDay(momentMs);
}

/** A date without a time with its weekday: "Saturday 23 November 2024". */
export function longDay(date: string): string {
  const momentMs = Date.parse(date);
  return Number.isNaN(momentMs) ? date : longPlainDay().format(momentMs);
}
