import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { approximately, formatMoney } from '../components/money.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import type { Bucket } from '../overview/buckets.ts';
import { axisNumber, spreadTicks } from './axis.ts';
import { ChartNote } from './ChartNote.tsx';

const series = [
  { name: 'in', label: 'Money in', color: 'var(--gb-in-bar)' },
  { name: 'out', label: 'Money out', color: 'var(--gb-out-bar)' },
];

/** What came in stands above the line, what went out below it. */
export function TurnoverBars({ buckets }: { buckets: readonly Bucket[] }) {
  const isPhone = useIsPhone();
  const byStart = new Map(buckets.map((bucket) => [bucket.since, bucket]));
  const labelOf = (since: unknown) => byStart.get(String(since))?.shortLabel ?? '';
  return (
    <BarChart
      h="100%"
      data={buckets.map(({ since, deposits, withdrawals }) => ({
        since,
        in: approximately(deposits),
        out: -approximately(withdrawals),
      }))}
      dataKey="since"
      series={series}
      type="stacked"
      barChartProps={{ stackOffset: 'sign', accessibilityLayer: false, margin: { top: 8, right: 8 } }}
      barProps={{ isAnimationActive: false, radius: 2, maxBarSize: 26 }}
      gridColor="var(--gb-line)"
      cursorFill="var(--gb-hover)"
      strokeDasharray="0"
      tickLine="none"
      xAxisProps={{
        tickFormatter: labelOf,
        ticks: spreadTicks(
          buckets.map(({ since }) => since),
          isPhone ? 4 : 8,
        ),
        interval: 0,
      }}
      yAxisProps={{ width: 52, tickFormatter: axisNumber, tickCount: 5 }}
      referenceLines={[{ y: 0, color: 'var(--gb-line-strong)' }]}
      tooltipProps={{
        isAnimationActive: false,
        content: ({ label }) => {
          const bucket = byStart.get(String(label));
          return bucket ? <TurnoverNote bucket={bucket} /> : null;
        },
      }}
    />
  );
}

function TurnoverNote({ bucket }: { bucket: Bucket }) {
  return (
    <ChartNote
      title={bucket.label}
      lines={[
        { label: 'Money in', value: formatMoney(bucket.deposits), tint: 'in' },
        { label: 'Money out', value: formatMoney(bucket.withdrawals), tint: 'out' },
      ]}
    />
  );
}
