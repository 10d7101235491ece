import { t } from '@lingui/core/macro';
import { formatDay, formatMonth, formatShortDay } from '../components/days.ts';
import { approximately, formatMoney } from '../components/money.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { AreaPlot } from './AreaPlot.tsx';
import { roundTicks, spreadTicks } from './axis.ts';
import { ChartNote } from './ChartNote.tsx';

const monthsFromDays = 400;

interface Point {
  /** A day, such as 2027-01-31. */
  day: string;
  total: string;
}

/** The total of all balances at the end of each day. */
export function TotalArea({ points }: { points: readonly Point[] }) {
  const isPhone = useIsPhone();
  const label = points.length > monthsFromDays ? formatMonth : formatShortDay;
  const last = Math.max(1, points.length - 1);
  const drawn = points.map(({ day, total }, index) => ({
    day,
    at: index / last,
    value: approximately(total),
  }));
  const values = drawn.map(({ value }) => value);
  return (
    <AreaPlot
      points={drawn}
      yTicks={roundTicks(Math.min(...values), Math.max(...values), 5)}
      xLabels={spreadTicks(drawn, isPhone ? 4 : 8).map(({ at, day }) => ({ at, label: label(day) }))}
      noteOf={(index) => <TotalNote point={points[index]} />}
    />
  );
}

function TotalNote({ point }: { point: Point | undefined }) {
  if (!point) return null;
  const lines = [{ label: t`Total`, value: formatMoney(point.total) }];
  return <ChartNote title={formatDay(point.day)} lines={lines} />;
}
