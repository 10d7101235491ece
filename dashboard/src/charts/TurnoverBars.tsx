import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { approximately, formatMoney } from '../components/money.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { axisNumber, roundTicks, spreadTicks } from './axis.ts';
import { ChartNote } from './ChartNote.tsx';

const series = [
  { name: 'in', label: 'Money in', color: 'var(--gb-in-bar)' },
  { name: 'out', label: 'Money out', color: 'var(--gb-out-bar)' },
];

/** What one bar shows. Sums are decimal texts without a sign. */
interface Bar {
  /** The day it begins with, which no other bar has. */
  since: string;
  until: string;
  label: string;
  shortLabel: string;
  deposits: string;
  withdrawals: string;
}

interface TurnoverBarsProps {
  bars: readonly Bar[];
  /** Called for the part of a bar that was clicked. */
  onOpen: (bar: Bar, direction: 'in' | 'out') => void;
}

/** What came in stands above the line, what went out below it. */
export function TurnoverBars({ bars, onOpen }: TurnoverBarsProps) {
  const isPhone = useIsPhone();
  const byStart = new Map(bars.map((bar) => [bar.since, bar]));
  const ticks = roundTicks(
    -Math.max(0, ...bars.map(({ withdrawals }) => approximately(withdrawals))),
    Math.max(0, ...bars.map(({ deposits }) => approximately(deposits))),
    5,
  );
  const labelOf = (since: unknown) => byStart.get(String(since))?.shortLabel ?? '';
  return (
    <BarChart
      h="100%"
      data={bars.map(({ since, deposits, withdrawals }) => ({
        since,
        in: approximately(deposits),
        out: -approximately(withdrawals),
      }))}
      dataKey="since"
      series={series}
      type="stacked"
      barChartProps={{ stackOffset: 'sign', accessibilityLayer: false, margin: { top: 8, right: 8 } }}
      barProps={({ name }) => ({
        isAnimationActive: false,
        radius: 2,
        maxBarSize: 26,
        style: { cursor: 'pointer' },
        onClick: (_entry: unknown, index: number) => {
          const bar = bars[index];
          if (bar) onOpen(bar, name === 'in' ? 'in' : 'out');
        },
      })}
      gridColor="var(--gb-line)"
      cursorFill="var(--gb-hover)"
      strokeDasharray="0"
      tickLine="none"
      xAxisProps={{
        tickFormatter: labelOf,
        ticks: spreadTicks(
          bars.map(({ since }) => since),
          isPhone ? 4 : 8,
        ),
        interval: 0,
      }}
      yAxisProps={{
        width: 52,
        tickFormatter: axisNumber,
        ticks,
        domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
        interval: 0,
      }}
      referenceLines={[{ y: 0, color: 'var(--gb-line-strong)' }]}
      tooltipProps={{
        isAnimationActive: false,
        content: ({ label }) => {
          const bar = byStart.get(String(label));
          return bar ? <TurnoverNote bar={bar} /> : null;
        },
      }}
    />
  );
}

function TurnoverNote({ bar }: { bar: Bar }) {
  return (
    <ChartNote
      title={bar.label}
      lines={[
        { label: 'Money in', value: formatMoney(bar.deposits), tint: 'in' },
        { label: 'Money out', value: formatMoney(bar.withdrawals), tint: 'out' },
      ]}
    />
  );
}
