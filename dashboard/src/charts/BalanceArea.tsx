import '@mantine/charts/styles.layer.css';
import { AreaChart } from '@mantine/charts';
import { approximately, formatMoney } from '../components/money.ts';
import { axisMoment, exactMoment } from '../components/time.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { axisNumber } from './axis.ts';
import type { DrawnPoint } from './balance-points.ts';
import { ChartNote } from './ChartNote.tsx';

const series = [{ name: 'value', label: 'Balance', color: 'var(--gb-in-bar)' }];

/** A balance stays as it is until the next transaction, so the line goes in steps. */
export function BalanceArea({ points }: { points: readonly DrawnPoint[] }) {
  const isPhone = useIsPhone();
  const startMs = points[0]?.atMs ?? 0;
  const endMs = points.at(-1)?.atMs ?? 0;
  const balanceAt = new Map(points.map(({ atMs, balance }) => [atMs, balance]));
  return (
    <AreaChart
      h="100%"
      data={points.map(({ atMs, balance }) => ({ atMs, value: approximately(balance) }))}
      dataKey="atMs"
      series={series}
      curveType="stepAfter"
      withDots={false}
      fillOpacity={0.16}
      strokeWidth={1.75}
      areaProps={{ isAnimationActive: false }}
      areaChartProps={{ accessibilityLayer: false, margin: { top: 8, right: 12 } }}
      gridColor="var(--gb-line)"
      strokeDasharray="0"
      tickLine="none"
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: [startMs, endMs],
        ticks: evenTicks({ startMs, endMs, count: isPhone ? 3 : 6 }),
        tickFormatter: (atMs) => axisMoment(Number(atMs), endMs - startMs),
        interval: 0,
      }}
      yAxisProps={{ width: 52, tickFormatter: axisNumber, tickCount: 5 }}
      tooltipProps={{
        isAnimationActive: false,
        content: ({ label }) => {
          const balance = balanceAt.get(Number(label));
          if (balance === undefined) return null;
          const lines = [{ label: 'Balance', value: formatMoney(balance) }];
          return <ChartNote title={exactMoment(Number(label))} lines={lines} />;
        },
      }}
    />
  );
}

interface TickRange {
  startMs: number;
  endMs: number;
  count: number;
}

/** Ticks in the middle of equal parts, so that the first and the last label keep clear of the edges. */
function evenTicks({ startMs, endMs, count }: TickRange): number[] {
  const partMs = (endMs - startMs) / count;
  return Array.from({ length: count }, (_, index) => startMs + partMs * (index + 0.5));
}
