const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_unused, number) => String(number).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_unused, number) => String(number).padStart(3, '0'));

/** Days whose text is kept, about three years: each has one place, which the next day of the same place takes over. */
const PLACES = 1_024;
const dayAt = new Float64Array(PLACES).fill(Number.NaN);
const textAt = new Array<string>(PLACES).fill('');

/** A time as `Date` writes it in ISO 8601, a few times as fast: the day takes longest, and lists have the same days again. */
export function isoText(timeMs: number): string {
  const day = Math.floor(timeMs / DAY_MS);
  const ms = timeMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hour = TWO_DIGITS[Math.floor(minutes / 60)];
  return `${dayText(day)}${hour}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.${THREE_DIGITS[ms % 1_000]}Z`;
}

/** Everything before the hour. Fails for what is no time at all. */
function dayText(day: number): string {
  const place = day & (PLACES - 1);
  if (dayAt[place] !== day) {
    textAt[place] = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    dayAt[place] = day;
  }
  return textAt[place] ?? '';
}
