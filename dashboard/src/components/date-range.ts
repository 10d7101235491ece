import { t } from '@lingui/core/macro';
import { language } from '../texts/languages.ts';
import { addDays, type DayRange, formatDay, formatDays, formatMonth } from './days.ts';
import { lazily } from './lazily.ts';
import { type Filter, isDay } from './search-filters.ts';
import { shortMoment } from './time.ts';
import { calendarZone, dayInZone, startOfDayInZone } from './time-zone.ts';

// The range of time of overview, ledger, players and audit log. It is in the address, under the same names
// everywhere, and is kept in links between the pages. An end is a day, which is included, or an exact moment, which
// is excluded. Days are those of the guild's calendar, so that an address shows everybody the same rows.

export const rangePresets = ['today', 'yesterday', '7d', '30d', 'last-month', '90d', '365d', 'all'] as const;
export type RangePreset = (typeof rangePresets)[number];

export const presetLabels = lazily(
  (): Record<RangePreset, string> => ({
    today: t`Today`,
    yesterday: t`Yesterday`,
    '7d': t`Last 7 days`,
    '30d': t`Last 30 days`,
    'last-month': t`Last month`,
    '90d': t`Last 90 days`,
    '365d': t`Last 365 days`,
    all: t`All time`,
  }),
);

/** The range in the address. '' means not given. */
export interface RangeValues {
  range: RangePreset | '';
  since: string;
  until: string;
}

export const noRange: RangeValues = { range: '', since: '', until: '' };

const bound: Filter<string> = {
  read: (text) => (text !== null && (isDay(text) || isMoment(text)) ? text : ''),
  write: (value) => (value === '' ? null : value),
};

/** The filters of a page that has a range. */
export const rangeFilters: { [Name in keyof RangeValues]: Filter<RangeValues[Name]> } = {
  range: {
    read: (text) => rangePresets.find((preset) => preset === text) ?? '',
    write: (value) => (value === '' ? null : value),
  },
  since: bound,
  until: bound,
};

/** An exact moment in UTC, such as `2027-01-31T12:00:00.000Z`. */
function isMoment(text: string): boolean {
  const isForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/.test(text);
  return isForm && !Number.isNaN(Date.parse(text));
}

export interface DateRange {
  /** The first moment, and the end, which is excluded; undefined is an open end. */
  sinceMs: number | undefined;
  untilMs: number | undefined;
  /** Undefined when the ends were chosen individually. */
  preset: RangePreset | undefined;
  label: string;
}

interface RangeContext {
  nowMs: number;
  /** The default when the address has no range. */
  usual: RangePreset;
  /** The time zone of the days; by default the guild's calendar. */
  zone?: string;
}

/** The range in the address. Invalid ends are replaced by the default. */
export function resolveRange(
  values: RangeValues,
  { nowMs, usual, zone = calendarZone() }: RangeContext,
): DateRange {
  const sinceMs = values.since === '' ? undefined : startOf(values.since, zone);
  const untilMs = values.until === '' ? undefined : endOf(values.until, zone);
  const isChosen = sinceMs !== undefined || untilMs !== undefined;
  if (isChosen && (sinceMs ?? Number.NEGATIVE_INFINITY) < (untilMs ?? Number.POSITIVE_INFINITY)) {
    return { sinceMs, untilMs, preset: undefined, label: labelOf(values, zone) };
  }
  const preset = values.range === '' ? usual : values.range;
  const days = presetDays(preset, dayInZone(nowMs, zone));
  return {
    sinceMs: days && startOfDayInZone(days.since, zone),
    untilMs: days && startOfDayInZone(addDays(days.until, 1), zone),
    preset,
    label: presetLabels()[preset],
  };
}

function startOf(text: string, zone: string): number {
  return isDay(text) ? startOfDayInZone(text, zone) : Date.parse(text);
}

function endOf(text: string, zone: string): number {
  return isDay(text) ? startOfDayInZone(addDays(text, 1), zone) : Date.parse(text);
}

function presetDays(preset: RangePreset, today: string): { since: string; until: string } | undefined {
  if (preset === 'all') return undefined;
  if (preset === 'today') return { since: today, until: today };
  if (preset === 'yesterday') return { since: addDays(today, -1), until: addDays(today, -1) };
  if (preset === 'last-month') {
    const until = addDays(`${today.slice(0, 7)}-01`, -1);
    return { since: `${until.slice(0, 7)}-01`, until };
  }
  return { since: addDays(today, 1 - Number.parseInt(preset, 10)), until: today };
}

function labelOf({ since, until }: RangeValues, zone: string): string {
  if (isDay(since) && isDay(until)) return wholeMonth(since, until) ?? formatDays(since, until);
  const text = (end: string) => (isDay(end) ? formatDay(end) : shortMoment(Date.parse(end)));
  if (since === '') return t`Until ${text(until)}`;
  if (until === '') return t`From ${text(since)}`;
  return daysOfMoments(since, until, zone) ?? `${text(since)} – ${text(until)}`;
}

/** Moments that are whole days of the zone, or of UTC, are shown as days. */
function daysOfMoments(since: string, until: string, zone: string): string | undefined {
  for (const one of [zone, 'UTC']) {
    const [sinceMs, untilMs] = [startOf(since, one), endOf(until, one)];
    const [first, last] = [dayInZone(sinceMs, one), dayInZone(untilMs - 1, one)];
    if (startOfDayInZone(first, one) === sinceMs && startOfDayInZone(addDays(last, 1), one) === untilMs) {
      return `${wholeMonth(first, last) ?? formatDays(first, last)}${one === zone ? '' : ' UTC'}`;
    }
  }
  return undefined;
}

/** "Oct 2026" for the first to the last day of a month. */
function wholeMonth(since: string, until: string): string | undefined {
  const isMonth =
    since.endsWith('-01') && addDays(until, 1).endsWith('-01') && since.slice(0, 7) === until.slice(0, 7);
  return isMonth ? formatMonth(since) : undefined;
}

/**
 * The label inside a sentence: "last 30 days", "until 3 Oct 2026", "Oct 2026". Names of months keep their capital. Labels of other
 * languages stay as they are.
 */
export function labelInSentence({ preset, label }: Pick<DateRange, 'preset' | 'label'>): string {
  if (language !== 'en') return label;
  return preset === undefined
    ? label.replace(/^(?:Until|From)(?= )/, (word) => word.toLowerCase())
    : label.toLowerCase();
}

/** The first and the last day of a range for the calendar; '' is an open end. */
export function daysOfRange(
  { sinceMs, untilMs }: DateRange,
  zone = calendarZone(),
): { since: string; until: string } {
  return {
    since: sinceMs === undefined ? '' : dayInZone(sinceMs, zone),
    until: untilMs === undefined ? '' : dayInZone(untilMs - 1, zone),
  };
}

export interface MonthChoice {
  label: string;
  since: string;
  until: string;
}

/** The present month and earlier ones, newest first. */
export function lastMonths(nowMs: number, count: number, zone = calendarZone()): MonthChoice[] {
  const months: MonthChoice[] = [];
  let first = `${dayInZone(nowMs, zone).slice(0, 7)}-01`;
  for (let index = 0; index < count; index += 1) {
    const next = `${addDays(first, 31).slice(0, 7)}-01`;
    months.push({ label: formatMonth(first), since: first, until: addDays(next, -1) });
    first = `${addDays(first, -1).slice(0, 7)}-01`;
  }
  return months;
}

/** The range for requests: exact moments. '' is an open end. */
export function askedRange({ sinceMs, untilMs }: DateRange): { since: string; until: string } {
  return { since: momentParameter(sinceMs), until: momentParameter(untilMs) };
}

function momentParameter(momentMs: number | undefined): string {
  return momentMs === undefined ? '' : new Date(momentMs).toISOString();
}

/** The range of days of a zone in an address: days in the guild's calendar, and exact moments in any other zone. */
export function daysInAddress({ since, until }: DayRange, zone: string): DayRange {
  if (zone === calendarZone()) return { since, until };
  return {
    since: new Date(startOfDayInZone(since, zone)).toISOString(),
    until: new Date(startOfDayInZone(addDays(until, 1), zone)).toISOString(),
  };
}

/** The part of a query string that links between pages keep, with its question mark. */
export function keptRange(search: string): string {
  const kept = new URLSearchParams();
  const present = new URLSearchParams(search);
  for (const name of ['range', 'since', 'until']) {
    const text = present.get(name);
    if (text !== null) kept.set(name, text);
  }
  const text = kept.toString();
  return text === '' ? '' : `?${text}`;
}
