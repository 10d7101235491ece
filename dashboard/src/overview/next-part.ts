import type { FocusedPart } from '../charts/BarPlot.tsx';

interface Sums {
  deposits: string;
  withdrawals: string;
}

/**
 * The sum that a key leads to from another one; sums of nothing are left out. Without a key it is the one to begin with: the
 * present one if it is still there, or else the newest.
 */
export function nextPart(
  bars: readonly Sums[],
  present: FocusedPart | undefined,
  key: string | undefined,
): FocusedPart | undefined {
  const parts = bars.flatMap(({ deposits, withdrawals }, index): FocusedPart[] => [
    ...(deposits === '0' ? [] : [{ index, tint: 'in' as const }]),
    ...(withdrawals === '0' ? [] : [{ index, tint: 'out' as const }]),
  ]);
  const { index, tint } = present ?? { index: -1, tint: 'in' };
  if (key === undefined) return parts.find((part) => isSame(part, present)) ?? parts.at(-1);
  if (key === 'Home') return parts[0];
  if (key === 'End') return parts.at(-1);
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const wanted = key === 'ArrowUp' ? 'in' : 'out';
    return parts.find((part) => part.index === index && part.tint === wanted);
  }
  // To the next bar, on the same side of the line where there is something.
  const beside =
    key === 'ArrowRight'
      ? parts.filter((part) => part.index > index)
      : key === 'ArrowLeft'
        ? parts.filter((part) => part.index < index).toReversed()
        : [];
  return beside.find((part) => part.index === beside[0]?.index && part.tint === tint) ?? beside[0];
}

function isSame(one: FocusedPart, other: FocusedPart | undefined): boolean {
  return one.index === other?.index && one.tint === other.tint;
}
