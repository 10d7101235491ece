import { dateLanguage } from '../texts/languages.ts';
// The time zone of all shown times of day: the one that the person chose, or else the browser's. It is set when the session
// is known, before any page is rendered, and a change renders all pages again. Days are those of the guild's calendar.

import { lazily } from './lazily.ts';

let chosenZone: string | null = null;

/** The time zone of the browser. */
export const browserTimeZone = lazily(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);

export function pageTimeZone(): string {
  return chosenZone ?? browserTimeZone();
}

/** Null uses the browser's zone, and so does a zone that this browser does not know. */
export function choosePageTimeZone(zone: string | null): void {
  chosenZone = zone !== null && isTimeZone(zone) ? zone : null;
}

let guildZone = 'UTC';

/** The calendar of the open guild: the time zone of all days, the same for everybody. */
export function calendarZone(): string {
  return guildZone;
}

/** Set before the pages of a guild are rendered. A zone that this browser does not know is replaced by UTC. */
export function chooseCalendar(zone: string): void {
  guildZone = isTimeZone(zone) ? zone : 'UTC';
}

export function isTimeZone(zone: string): boolean {
  // Every browser knows it, and a formatter takes long to make while the first page loads.
  if (zone === 'UTC') return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns a formatter of moments in the page's zone, with one cached Intl formatter per zone. */
export function zonedFormat(
  options: Intl.DateTimeFormatOptions,
): (momentMs: number, zone?: string) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (momentMs, zone = pageTimeZone()) => {
    const format = formats.get(zone) ?? new Intl.DateTimeFormat(dateLanguage, { ...options, timeZone: zone });
    formats.set(zone, format);
    return format.format(momentMs);
  };
}

const isoDay = (() => {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (zone: string) => {
    // The Swedish format is that of ISO 8601.
    const format =
      formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone });
    formats.set(zone, format);
    return format;
  };
})();

/** The day of a moment in a zone, such as `2027-01-31`; by default in the guild's calendar. */
export function dayInZone(momentMs: number, zone = calendarZone()): string {
  // The zone of most guilds. Making a formatter would delay the first requests of a page.
  if (zone === 'UTC') return new Date(momentMs).toISOString().slice(0, 10);
  return isoDay(zone).format(momentMs);
}

const hourMs = 3_600_000;
// Zones are at most 14 hours ahead of UTC and 12 behind it.
const reachMs = 15 * hourMs;

/**
 * The first moment of a day in a zone, also when clocks are set forward at midnight. A date that the zone skipped begins where the
 * next one does.
 */
export function startOfDayInZone(day: string, zone = calendarZone()): number {
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  if (zone === 'UTC') return utcMs;
  const candidates = [utcMs - reachMs, utcMs + reachMs].map((nearMs) => utcMs - offsetMs(nearMs, zone));
  const inside = candidates.filter((momentMs) => dayInZone(momentMs, zone) === day);
  return inside.length > 0 ? Math.min(...inside) : Math.max(...candidates);
}

/** The offset of a zone from UTC at a moment. */
function offsetMs(momentMs: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(momentMs);
  const value = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const shownMs = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  );
  return shownMs - Math.floor(momentMs / 1_000) * 1_000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const format =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  clocks.set(zone, format);
  return format;
}
