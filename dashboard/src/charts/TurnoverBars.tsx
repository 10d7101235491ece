import { t } from '@lingui/core/macro';
import { approximately, formatMoney } from '../components/money.ts';
import { roundTicks } from './axis.ts';
import { BarPlot, type FocusedPart } from './BarPlot.tsx';
import { ChartNote } from './ChartNote.tsx';

/** The figures of one bar. Sums are decimal texts without a sign. */
interface Turnover {
  /** The first day, which is unique among the bars. */
  since: string;
  until: string;
  label: string;
  shortLabel: string;
  deposits: string;
  withdrawals: string;
}

interface TurnoverBarsProps {
  bars: readonly Turnover[];
  focused: FocusedPart | undefined;
  /** Called with the part of a bar that was clicked. */
  onOpen: (bar: Turnover, direction: 'in' | 'out') => void;
}

/** Deposits are above the zero line, withdrawals below it. */
export function TurnoverBars({ bars, focused, onOpen }: TurnoverBarsProps) {
  const drawn = bars.map((bar) => ({
    bar,
    deposits: approximately(bar.deposits),
    withdrawals: approximately(bar.withdrawals),
  }));
  const highest = Math.max(0, ...drawn.map(({ deposits }) => deposits));
  const lowest = -Math.max(0, ...drawn.map(({ withdrawals }) => withdrawals));
  return (
    <BarPlot
      bars={drawn.map(({ bar, deposits, withdrawals }) => ({
        id: bar.since,
        label: bar.shortLabel,
        parts: [
          { tint: 'in', from: 0, to: deposits, onOpen: () => onOpen(bar, 'in') },
          { tint: 'out', from: 0, to: -withdrawals, onOpen: () => onOpen(bar, 'out') },
        ],
      }))}
      yTicks={roundTicks(lowest, highest, 5)}
      labelsMax={{ phone: 4, wide: 8 }}
      noteOf={(index) => <TurnoverNote bar={bars[index]} />}
      focused={focused}
    />
  );
}

function TurnoverNote({ bar }: { bar: Turnover | undefined }) {
  if (!bar) return null;
  return (
    <ChartNote
      title={bar.label}
      lines={[
        { label: t`Money in`, value: formatMoney(bar.deposits), tint: 'in' },
        { label: t`Money out`, value: formatMoney(bar.withdrawals), tint: 'out' },
      ]}
    />
  );
}
