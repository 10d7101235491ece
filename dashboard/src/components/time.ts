import { t } from '@lingui/core/macro';
import { dayForm, language } from '../texts/languages.ts';
import { closeUp } from './close-up.ts';
import { lazily } from './lazily.ts';
import { zonedFormat } from './time-zone.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const monthMs = 30.44 * dayMs;
const yearMs = 365.25 * dayMs;

const words = lazily(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const exact = zonedFormat({ dateStyle: 'long', timeStyle: 'long' });
const day = zonedFormat({ dateStyle: 'long' });
const shortExact = zonedFormat({ ...dayForm, hour: '2-digit', minute: '2-digit' });
const shortDay = zonedFormat({ day: 'numeric', month: 'short' });
const dayOfYear = zonedFormat(dayForm);
const month = zonedFormat({ month: 'short', year: 'numeric' });
const clock = zonedFormat({ hour: '2-digit', minute: '2-digit' });

// Days are used for long times: for an expiry, "in 80 days" is more precise than "in 3 months".
const steps: { belowMs: number; unitMs: number; unit: Intl.RelativeTimeFormatUnit }[] = [
  { belowMs: 59.5 * minuteMs, unitMs: minuteMs, unit: 'minute' },
  { belowMs: 23.5 * hourMs, unitMs: hourMs, unit: 'hour' },
  { belowMs: 99.5 * dayMs, unitMs: dayMs, unit: 'day' },
  { belowMs: 23.5 * monthMs, unitMs: monthMs, unit: 'month' },
  { belowMs: Number.POSITIVE_INFINITY, unitMs: yearMs, unit: 'year' },
];

/** A relative time: "just now", "3 hours ago", "in 30 days". */
export function momentInWords(momentMs: number, nowMs: number): string {
  const distanceMs = momentMs - nowMs;
  const lengthMs = Math.abs(distanceMs);
  if (lengthMs < minuteMs / 2) return distanceMs > 0 ? t`in a moment` : t`just now`;
  const step = steps.find(({ belowMs }) => lengthMs < belowMs);
  if (!step) return '';
  const count = Math.max(1, Math.round(lengthMs / step.unitMs));
  return closeUp(words().format(distanceMs < 0 ? -count : count, step.unit));
}

/** "today" in the page's language. */
export function todayInWords(): string {
  return words().format(0, 'day');
}

/** The exact time to the second, with the page's time zone. */
export function exactMoment(momentMs: number): string {
  return exact(momentMs);
}

/** "31 Jan 2027, 14:03", for use beside the relative time. */
export function shortMoment(momentMs: number): string {
  return shortExact(momentMs);
}

/** The same as its day and its time, between which a narrow place may break it. */
export function shortMomentParts(momentMs: number): [day: string, clock: string] {
  const text = shortExact(momentMs);
  const clockAt = text.search(/\S*\d:\d/);
  return clockAt < 0 ? [text, ''] : [text.slice(0, clockAt), text.slice(clockAt)];
}

export function dayInWords(momentMs: number): string {
  return day(momentMs);
}

/** A moment as a label of a time axis of the given length: a month, a day or an hour, in the page's time zone. */
export function axisMoment(momentMs: number, lengthMs: number): string {
  if (lengthMs > 700 * dayMs) return month(momentMs);
  if (lengthMs > 6 * dayMs) return shortDay(momentMs);
  return lengthMs > dayMs ? dayOfYear(momentMs) : clock(momentMs);
}
