import { approximately, formatMoney } from '../components/money.ts';
import { axisMoment, exactMoment } from '../components/time.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { AreaPlot } from './AreaPlot.tsx';
import { roundTicks } from './axis.ts';
import type { DrawnPoint } from './balance-points.ts';
import { ChartNote } from './ChartNote.tsx';

/** A notable transaction, marked at the balance after it. */
export interface Mark {
  id: string;
  atMs: number;
  balance: string;
  isDeposit: boolean;
}

interface BalanceAreaProps {
  points: readonly DrawnPoint[];
  marks: readonly Mark[];
  /** Called with the two ends of the range that was selected by dragging. */
  onSelect: (range: { sinceMs: number; untilMs: number }) => void;
  onOpen: (id: string) => void;
}

/** A balance stays the same until the next transaction, so the line has steps. Dragging selects a range. */
export function BalanceArea({ points, marks, onSelect, onOpen }: BalanceAreaProps) {
  const isPhone = useIsPhone();
  const startMs = points[0]?.atMs ?? 0;
  const lengthMs = (points.at(-1)?.atMs ?? 0) - startMs || 1;
  const place = (atMs: number) => (atMs - startMs) / lengthMs;
  const values = points.map(({ balance }) => approximately(balance));
  const select = (first: number, last: number) => {
    const [sinceMs, untilMs] = [points[first]?.atMs, points[last]?.atMs];
    // The last selected point is part of the range.
    if (sinceMs !== undefined && untilMs !== undefined) onSelect({ sinceMs, untilMs: untilMs + 1 });
  };
  return (
    <AreaPlot
      points={points.map(({ atMs }, index) => ({ at: place(atMs), value: values[index] ?? 0 }))}
      isStepped
      yTicks={roundTicks(Math.min(...values), Math.max(...values), 5)}
      xLabels={evenPlaces(isPhone ? 3 : 6).map((at) => ({
        at,
        label: axisMoment(startMs + at * lengthMs, lengthMs),
      }))}
      noteOf={(index) => <BalanceNote point={points[index]} />}
      marks={marks.map(({ id, atMs, balance, isDeposit }) => ({
        id,
        at: place(atMs),
        value: approximately(balance),
        tint: isDeposit ? 'in' : 'out',
      }))}
      onOpen={onOpen}
      onSelect={select}
    />
  );
}

function BalanceNote({ point }: { point: DrawnPoint | undefined }) {
  if (!point) return null;
  const lines = [{ label: 'Balance', value: formatMoney(point.balance) }];
  return <ChartNote title={exactMoment(point.atMs)} lines={lines} />;
}

/** The middles of `count` equal parts, so that the first and the last label keep a distance from the edges. */
function evenPlaces(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + 0.5) / count);
}
