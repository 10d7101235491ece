import { t } from '@lingui/core/macro';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const presetDays = [30, 90, 180, 365] as const;
export const presetDaysDefault = 90;

export interface ExpiryRange {
  minMs: number;
  maxMs: number;
}

/** The range for a key's expiry: from one hour ahead to the longest lifetime that the operator allows. */
export function expiryRange(nowMs: number, daysMax: number): ExpiryRange {
  return { minMs: nowMs + hourMs, maxMs: nowMs + daysMax * dayMs };
}

/** The presets within the longest lifetime; at least one, so that the form starts with a valid date. */
export function allowedPresets(daysMax: number): number[] {
  const allowed = presetDays.filter((days) => days <= daysMax);
  return allowed.length > 0 ? allowed : [Math.max(1, Math.floor(daysMax))];
}

/** The moment of a preset in the calendar's format, to the full minute. */
export function presetValue(days: number, nowMs: number): string {
  return toCalendarValue(nowMs + days * dayMs);
}

/** The error of an expiry; undefined when it is valid. */
export function expiryFault(value: string | null, nowMs: number, daysMax: number): string | undefined {
  const momentMs = fromCalendarValue(value);
  if (momentMs === undefined) return t`Choose when the key expires`;
  const { minMs, maxMs } = expiryRange(nowMs, daysMax);
  if (momentMs < minMs) return t`Must be at least 1 hour from now`;
  if (momentMs > maxMs) return t`Must be at most ${daysMax} days from now`;
  return undefined;
}

/** The calendar's format: local time, "2026-11-15 04:31:00". Seconds are cut off, never rounded up. */
export function toCalendarValue(momentMs: number): string {
  const moment = new Date(momentMs);
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${date} ${two(moment.getHours())}:${two(moment.getMinutes())}:00`;
}

export function fromCalendarValue(value: string | null): number | undefined {
  if (value === null || value === '') return undefined;
  const momentMs = new Date(value.replace(' ', 'T')).getTime();
  return Number.isNaN(momentMs) ? undefined : momentMs;
}

/** The numbers of days before the expiry at which a warning appears, the most urgent first. */
const warningDays = [1, 3, 14] as const;

/** The most urgent warning for keys with this remaining time, and the number of keys; undefined for none. */
export function expiryWarning(leftMs: number[]): { days: 1 | 3 | 14; count: number } | undefined {
  const live = leftMs.filter((left) => left > 0);
  for (const days of warningDays) {
    const count = live.filter((left) => left <= days * dayMs).length;
    if (count > 0) return { days, count };
  }
  return undefined;
}
