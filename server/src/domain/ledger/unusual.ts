import type { DaySums, SourceSums } from './ledger-views.ts';

/** A finding in a range that a person should look at, with the figures that explain it. */
export type Unusual =
  | { kind: 'money-in' | 'money-out'; day: number; units: bigint; usualUnits: bigint }
  | { kind: 'new-source'; source: string; units: bigint; count: number };

/** Length of the baseline in days. At least `ACTIVE_DAYS_MIN` of them must have moved money in the same direction. */
export const BASELINE_DAYS = 28;
const ACTIVE_DAYS_MIN = 7;
/** A day is unusual when its sum is at least this multiple of the usual sum. */
const FACTOR = 3n;
const SHOWN_PER_KIND_MAX = 3;
/** A source is known when it was used within this number of days before the range. */
export const KNOWN_SOURCE_DAYS = 90;
/** A new source is reported when it has at least 1/SOURCE_SHARE of the range's turnover. */
const SOURCE_SHARE = 50n;

/** Days of the range on which far more money moved than on the days before: three times their median. */
export function unusualDays(days: readonly DaySums[], range: { since: number }): Unusual[] {
  const found = (['money-in', 'money-out'] as const).map((kind) => {
    const unitsOf = (day: DaySums) => (kind === 'money-in' ? day.depositUnits : day.withdrawalUnits);
    return days
      .filter(({ day }) => day >= range.since)
      .flatMap((one) => {
        const before = days.filter(({ day }) => day < one.day && day >= one.day - BASELINE_DAYS);
        const active = before.map(unitsOf).filter((units) => units > 0n);
        const usualUnits = medianOf(active);
        const isUnusual = active.length >= ACTIVE_DAYS_MIN && unitsOf(one) >= usualUnits * FACTOR;
        return isUnusual ? [{ kind, day: one.day, units: unitsOf(one), usualUnits }] : [];
      })
      .sort((one, other) => (one.units * other.usualUnits < other.units * one.usualUnits ? 1 : -1))
      .slice(0, SHOWN_PER_KIND_MAX);
  });
  return found.flat();
}

/**
 * Sources with a relevant share of the range's turnover that were not used in the days before it. None when no source
 * is known.
 */
export function newSources(sources: readonly SourceSums[], known: ReadonlySet<string>): Unusual[] {
  if (known.size === 0) {
    return [];
  }
  const turnover = ({ depositUnits, withdrawalUnits }: SourceSums) => depositUnits + withdrawalUnits;
  const all = sources.reduce((sum, one) => sum + turnover(one), 0n);
  return sources
    .filter((one) => !known.has(one.source) && turnover(one) * SOURCE_SHARE >= all)
    .slice(0, SHOWN_PER_KIND_MAX)
    .map((one) => ({
      kind: 'new-source' as const,
      source: one.source,
      units: turnover(one),
      count: one.depositCount + one.withdrawalCount,
    }));
}

function medianOf(units: readonly bigint[]): bigint {
  const sorted = units.toSorted((one, other) => (one < other ? -1 : 1));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
}
