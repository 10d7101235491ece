import dayjs from 'dayjs';
import { dateLanguage, language } from '../texts/languages.ts';

// Mantine's calendars take the names of months and weekdays from a locale of dayjs. The browser knows the names, so that no locale
// has to be loaded.

const name = language.toLowerCase();
const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 1));
// 1 January 2023 was a Sunday.
const weekdays = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, day + 1));

function namesOf(moments: readonly number[], options: Intl.DateTimeFormatOptions): string[] {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return moments.map((moment) => format.format(moment));
}

if (name !== 'en') {
  const locale = {
    name,
    months: namesOf(months, { month: 'long' }),
    monthsShort: namesOf(months, { month: 'short' }),
    weekdays: namesOf(weekdays, { weekday: 'long' }),
    weekdaysShort: namesOf(weekdays, { weekday: 'short' }),
    // A column has no room for the point of "lun.".
    weekdaysMin: namesOf(weekdays, { weekday: 'short' }).map((one) => one.replace('.', '')),
    ordinal: String,
    formats: {},
    relativeTime: {},
  };
  dayjs.locale(locale, undefined, true);
}

const monthOfYear = new Intl.DateTimeFormat(dateLanguage, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The language of a calendar, and its heading in the order of the language: "November 2026". */
export const calendarLanguage = {
  locale: name,
  monthLabelFormat: (day: string) => monthOfYear.format(Date.parse(`${day.slice(0, 10)}T00:00:00Z`)),
};
