const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_unused, number) => String(number).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_unused, number) => String(number).padStart(3, '0'));

/**
 * Slots of the cache of day texts, about three years of days. Each day has one slot and replaces the day that was
 * there.
 */
const PLACES = 1_024;
const dayAt = new Float64Array(PLACES).fill(Number.NaN);
const textAt = new Array<string>(PLACES).fill('');

/**
 * The same text as `Date.prototype.toISOString`, several times as fast: formatting the day takes longest, and lists
 * repeat days.
 */
export function isoText(timeMs: number): string {
  const day = Math.floor(timeMs / DAY_MS);
  const ms = timeMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hour = TWO_DIGITS[Math.floor(minutes / 60)];
  return `${dayText(day)}${hour}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.${THREE_DIGITS[ms % 1_000]}Z`;
}

/** The text before the hour. Throws for a value that is no time. */
function dayText(day: number): string {
  const place = day & (PLACES - 1);
  if (dayAt[place] !== day) {
    textAt[place] = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    dayAt[place] = day;
  }
  return textAt[place] ?? '';
}
