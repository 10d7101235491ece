import { t } from '@lingui/core/macro';
import type { Overview } from '../api/overview.ts';
import { closeUp } from '../components/close-up.ts';
import { formatDays } from '../components/days.ts';
import { lazily } from '../components/lazily.ts';
import { dayInZone, startOfDayInZone, zonedFormat } from '../components/time-zone.ts';
import { language } from '../texts/languages.ts';

const minuteMs = 60_000;
const momentParts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const moment = zonedFormat(momentParts);
const momentOfYear = zonedFormat({ ...momentParts, year: 'numeric' });

export interface Comparison {
  /** "1–31 Oct 2026", or with times of day: "1 Nov, 00:00 – 18 Nov, 04:23". */
  current: string;
  previous: string;
  /** The length of both: "17 days, 4 hours, 23 minutes". */
  length: string;
}

/** The two spans of time that the figures compare. Both are equally long: a range that has not passed yet ends now. */
export function comparisonOf({
  range,
  previous,
  timeZone,
}: Pick<Overview, 'range' | 'previous' | 'timeZone'>): Comparison {
  const [sinceMs, earlierMs, earlierEndMs] = [range.sinceAt, previous.sinceAt, previous.untilAt].map((at) =>
    Date.parse(at),
  ) as [number, number, number];
  const lengthMs = earlierEndMs - earlierMs;
  const yearOf = (atMs: number) => dayInZone(atMs, timeZone).slice(0, 4);
  const textOf = yearOf(earlierMs) === yearOf(sinceMs + lengthMs) ? moment : momentOfYear;
  const spanText = (fromMs: number, untilMs: number) => spanOf([fromMs, untilMs], timeZone, textOf);
  return {
    current: spanText(sinceMs, sinceMs + lengthMs),
    previous: spanText(earlierMs, earlierEndMs),
    length: lengthText(lengthMs),
  };
}

function spanOf(
  [sinceMs, untilMs]: readonly [number, number],
  zone: string,
  textOf: (atMs: number, zone: string) => string,
): string {
  const isDayStart = (atMs: number) => startOfDayInZone(dayInZone(atMs, zone), zone) === atMs;
  if (untilMs > sinceMs && isDayStart(sinceMs) && isDayStart(untilMs)) {
    return formatDays(dayInZone(sinceMs, zone), dayInZone(untilMs - 1, zone));
  }
  return `${textOf(sinceMs, zone)} – ${textOf(untilMs, zone)}`;
}

function lengthText(lengthMs: number): string {
  const minutes = Math.floor(lengthMs / minuteMs);
  const parts = [
    { unit: 'day', count: Math.floor(minutes / 1_440) },
    { unit: 'hour', count: Math.floor(minutes / 60) % 24 },
    { unit: 'minute', count: minutes % 60 },
  ];
  const shown = parts
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => unitFormat(unit).format(count));
  return shown.length === 0 ? t`less than a minute` : closeUp(unitList().format(shown));
}

const unitList = lazily(() => new Intl.ListFormat(language, { type: 'unit' }));

/** "17 days" in the page's language. */
function unitFormat(unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false });
}
