import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { axisNumber, spreadTicks } from './axis.ts';
import { ChartNote } from './ChartNote.tsx';

const series = [
  { name: 'answered', label: 'Answered', color: 'var(--gb-in-bar)' },
  { name: 'refused', label: 'Refused', color: 'var(--gb-out-bar)' },
];

interface Day {
  /** Such as 2027-01-31. */
  day: string;
  label: string;
  answered: number;
  refused: number;
}

/** How many requests were answered and refused on each day, one above the other. */
export function RequestBars({ days }: { days: readonly Day[] }) {
  const isPhone = useIsPhone();
  const byDay = new Map(days.map((day) => [day.day, day]));
  return (
    <BarChart
      h="100%"
      data={[...days]}
      dataKey="day"
      series={series}
      type="stacked"
      barChartProps={{ accessibilityLayer: false, margin: { top: 8, right: 8 } }}
      barProps={{ isAnimationActive: false, radius: 2, maxBarSize: 18 }}
      gridColor="var(--gb-line)"
      cursorFill="var(--gb-hover)"
      strokeDasharray="0"
      tickLine="none"
      xAxisProps={{
        tickFormatter: (day: unknown) => byDay.get(String(day))?.label ?? '',
        ticks: spreadTicks(
          days.map(({ day }) => day),
          isPhone ? 3 : 4,
        ),
        interval: 0,
      }}
      yAxisProps={{ width: 44, tickFormatter: axisNumber, tickCount: 4, allowDecimals: false }}
      tooltipProps={{
        isAnimationActive: false,
        content: ({ label }) => {
          const day = byDay.get(String(label));
          return day ? <RequestNote day={day} /> : null;
        },
      }}
    />
  );
}

function RequestNote({ day }: { day: Day }) {
  return (
    <ChartNote
      title={day.label}
      lines={[
        { label: 'Answered', value: day.answered.toLocaleString('en'), tint: 'in' },
        { label: 'Refused', value: day.refused.toLocaleString('en'), tint: 'out' },
      ]}
    />
  );
}
