import type { SourceTurnover } from '../api/overview.ts';
import { addMoney, parseMoney } from '../components/money.ts';

export interface SourceBar {
  /** Null for the sum of all others. */
  source: string | null;
  sum: string;
  count: number;
  /** The length of the bar, from 0 to 100. */
  percent: number;
}

type Direction = 'in' | 'out';

/** The largest sources of one direction, and the rest as one bar at the end. */
export function topSources(
  sources: readonly SourceTurnover[],
  { direction, countMax }: { direction: Direction; countMax: number },
): SourceBar[] {
  const bars = sources
    .map((entry) => ({
      source: entry.source,
      sum: direction === 'in' ? entry.deposits : entry.withdrawals,
      count: direction === 'in' ? entry.depositCount : entry.withdrawalCount,
    }))
    .filter(({ sum }) => unitsOf(sum) > 0n)
    .sort((one, other) => compare(unitsOf(other.sum), unitsOf(one.sum)));
  const named = bars.filter(({ source }) => source !== null);
  const top = named.slice(0, countMax);
  const rest = [...named.slice(countMax), ...bars.filter(({ source }) => source === null)];
  const others = rest.reduce(
    (sum, bar) => ({ source: null, sum: addMoney(sum.sum, bar.sum), count: sum.count + bar.count }),
    { source: null, sum: '0', count: 0 },
  );
  const shown = rest.length > 0 ? [...top, others] : top;
  const largest = shown.reduce((most, { sum }) => (unitsOf(sum) > most ? unitsOf(sum) : most), 1n);
  return shown.map((bar) => ({ ...bar, percent: Number((unitsOf(bar.sum) * 1_000n) / largest) / 10 }));
}

function unitsOf(sum: string): bigint {
  return parseMoney(sum) ?? 0n;
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
