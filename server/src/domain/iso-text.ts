const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_unused, number) => String(number).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_unused, number) => String(number).padStart(3, '0'));

let dayKnown = Number.NaN;
let dayText = '';

/**
 * A time as `Date` writes it in ISO 8601, a few times as fast: times of one list are mostly of one day, and the day is what
 * takes long.
 */
export function isoText(timeMs: number): string {
  const day = Math.floor(timeMs / DAY_MS);
  if (day !== dayKnown) {
    // Everything before the hour, whose text has a fixed length; fails for what is no time at all.
    dayText = new Date(timeMs).toISOString().slice(0, -'00:00:00.000Z'.length);
    dayKnown = day;
  }
  const ms = timeMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hour = TWO_DIGITS[Math.floor(minutes / 60)];
  return `${dayText}${hour}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.${THREE_DIGITS[ms % 1_000]}Z`;
}
