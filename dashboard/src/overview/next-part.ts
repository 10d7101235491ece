import type { FocusedPart } from '../charts/BarPlot.tsx';

interface Sums {
  deposits: string;
  withdrawals: string;
}

/**
 * The sum to which a key press moves the focus from the present one; sums of zero are skipped. Without a key press: the
 * present one if it still exists, or else the newest.
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
  // The next bar, on the same side of the zero line if it has a sum there.
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
