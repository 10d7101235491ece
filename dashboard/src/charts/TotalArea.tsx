import '@mantine/charts/styles.layer.css';
import { AreaChart } from '@mantine/charts';
import { formatDay, formatMonth, formatShortDay } from '../components/days.ts';
import { approximately, formatMoney } from '../components/money.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { axisNumber, roundTicks, spreadTicks } from './axis.ts';
import { ChartNote } from './ChartNote.tsx';

const series = [{ name: 'value', label: 'Total', color: 'var(--gb-in-bar)' }];
const monthsFromDays = 400;

interface Point {
  /** A day in UTC, such as 2027-01-31. */
  day: string;
  total: string;
}

/** A total at the end of each day. */
export function TotalArea({ points }: { points: readonly Point[] }) {
  const isPhone = useIsPhone();
  const totals = new Map(points.map(({ day, total }) => [day, total]));
  const values = points.map(({ total }) => approximately(total));
  const ticks = roundTicks(Math.min(...values), Math.max(...values), 5);
  const label = points.length > monthsFromDays ? formatMonth : formatShortDay;
  return (
    <AreaChart
      h="100%"
      data={points.map(({ day, total }) => ({ day, value: approximately(total) }))}
      dataKey="day"
      series={series}
      curveType="linear"
      withDots={false}
      fillOpacity={0.16}
      strokeWidth={1.75}
      areaProps={{ isAnimationActive: false }}
      areaChartProps={{ accessibilityLayer: false, margin: { top: 8, right: 12 } }}
      gridColor="var(--gb-line)"
      strokeDasharray="0"
      tickLine="none"
      xAxisProps={{
        tickFormatter: (day: unknown) => label(String(day)),
        ticks: spreadTicks(
          points.map(({ day }) => day),
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
      tooltipProps={{
        isAnimationActive: false,
        content: ({ label: day }) => {
          const total = totals.get(String(day));
          if (total === undefined) return null;
          return (
            <ChartNote
              title={`${formatDay(String(day))} (UTC)`}
              lines={[{ label: 'Total', value: formatMoney(total) }]}
            />
          );
        },
      }}
    />
  );
}
