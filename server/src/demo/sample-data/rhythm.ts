import type { Random } from './random.ts';
import { createWeightedPicker } from './random.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_DAYS = 365;
const RECENT_HOURS = 3;

const HOUR_WEIGHTS = [
  0.35, 0.18, 0.1, 0.06, 0.05, 0.08, 0.2, 0.35, 0.5, 0.6, 0.65, 0.75, 0.9, 0.85, 0.85, 1, 1.2, 1.6, 2.1, 2.6,
  2.7, 2.3, 1.5, 0.8,
];
const EVENING_WEIGHT = Math.max(...HOUR_WEIGHTS);
const SUNDAY_TO_SATURDAY_WEIGHTS = [1.45, 0.85, 0.8, 0.78, 0.9, 1.2, 1.65];
const EVENT_EVERY_WEEKS = 4;
const EVENT_FACTOR = 2.2;
const GROWTH_OVER_YEAR = 0.5;

/** The moments of one guild's transactions in the year before nowMs, ascending and never after it. */
export function createMoments(from: {
  count: number;
  nowMs: number;
  eventOffsetWeeks: number;
  random: Random;
}): number[] {
  const { count, nowMs, eventOffsetWeeks, random } = from;
  const startMs = nowMs - YEAR_DAYS * DAY_MS;
  const moods = Array.from({ length: YEAR_DAYS }, () => 0.75 + random.fraction() * 0.5);
  const hours = Array.from({ length: YEAR_DAYS * 24 }, (_, index) => index);
  const pickHour = createWeightedPicker(hours, (hour) => {
    const growth = 1 + GROWTH_OVER_YEAR * (hour / hours.length);
    const mood = moods[Math.floor(hour / 24)] ?? 1;
    // The last hours always have entries, at whatever hour the demo is started.
    if (hour >= hours.length - RECENT_HOURS) return EVENING_WEIGHT * growth * mood;
    return busyness({ atMs: startMs + (hour + 0.5) * HOUR_MS, eventOffsetWeeks }) * growth * mood;
  });
  return Array.from({ length: count }, () =>
    Math.floor(startMs + (pickHour(random) + random.fraction()) * HOUR_MS),
  ).sort((left, right) => left - right);
}

function busyness({ atMs, eventOffsetWeeks }: { atMs: number; eventOffsetWeeks: number }): number {
  const at = new Date(atMs);
  const weekday = at.getUTCDay();
  // The epoch fell on a Thursday; three days more make weeks begin on Monday and keep weekends whole.
  const week = Math.floor((Math.floor(atMs / DAY_MS) + 3) / 7) + eventOffsetWeeks;
  const isWeekend = weekday === 0 || weekday === 6;
  const event = isWeekend && week % EVENT_EVERY_WEEKS === 0 ? EVENT_FACTOR : 1;
  return (HOUR_WEIGHTS[at.getUTCHours()] ?? 1) * (SUNDAY_TO_SATURDAY_WEIGHTS[weekday] ?? 1) * event;
}
