import '@mantine/charts/styles.layer.css';
import { AreaChart } from '@mantine/charts';
import { useState } from 'react';
import { ReferenceArea, ReferenceDot } from 'recharts';
import { approximately, formatMoney } from '../components/money.ts';
import { axisMoment, exactMoment } from '../components/time.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { axisNumber, roundTicks } from './axis.ts';
import type { DrawnPoint } from './balance-points.ts';
import { ChartNote } from './ChartNote.tsx';

const series = [{ name: 'value', label: 'Balance', color: 'var(--gb-in-bar)' }];

/** A transaction that stands out, marked where it left the balance. */
export interface Mark {
  id: string;
  atMs: number;
  balance: string;
  isDeposit: boolean;
}

interface BalanceAreaProps {
  points: readonly DrawnPoint[];
  marks: readonly Mark[];
  /** Called with the two ends of what was dragged over. */
  onSelect: (range: { sinceMs: number; untilMs: number }) => void;
  onOpen: (id: string) => void;
}

/** A balance stays as it is until the next transaction, so the line goes in steps. Dragging chooses a range. */
export function BalanceArea({ points, marks, onSelect, onOpen }: BalanceAreaProps) {
  const isPhone = useIsPhone();
  const [dragged, setDragged] = useState<{ fromMs: number; toMs: number }>();
  const startMs = points[0]?.atMs ?? 0;
  const endMs = points.at(-1)?.atMs ?? 0;
  const balanceAt = new Map(points.map(({ atMs, balance }) => [atMs, balance]));
  const values = points.map(({ balance }) => approximately(balance));
  const ticks = roundTicks(Math.min(...values), Math.max(...values), 5);
  const finish = () => {
    setDragged(undefined);
    if (!dragged || dragged.fromMs === dragged.toMs) return;
    const [sinceMs, untilMs] = [dragged.fromMs, dragged.toMs].toSorted((one, other) => one - other);
    // The last point that was dragged over belongs to the range.
    if (sinceMs !== undefined && untilMs !== undefined) onSelect({ sinceMs, untilMs: untilMs + 1 });
  };
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
      areaChartProps={{
        accessibilityLayer: false,
        margin: { top: 8, right: 12 },
        style: { cursor: 'crosshair' },
        onMouseDown: ({ activeLabel }) =>
          activeLabel !== undefined && setDragged({ fromMs: Number(activeLabel), toMs: Number(activeLabel) }),
        onMouseMove: ({ activeLabel }) =>
          activeLabel !== undefined &&
          setDragged((present) => present && { ...present, toMs: Number(activeLabel) }),
        onMouseUp: finish,
        onMouseLeave: () => setDragged(undefined),
      }}
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
      yAxisProps={{
        width: 52,
        tickFormatter: axisNumber,
        ticks,
        domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1],
        interval: 0,
      }}
      tooltipProps={{
        isAnimationActive: false,
        content: ({ label }) => {
          const balance = balanceAt.get(Number(label));
          if (balance === undefined) return null;
          const lines = [{ label: 'Balance', value: formatMoney(balance) }];
          return <ChartNote title={exactMoment(Number(label))} lines={lines} />;
        },
      }}
    >
      {dragged && (
        <ReferenceArea x1={dragged.fromMs} x2={dragged.toMs} fill="var(--gb-accent)" fillOpacity={0.14} />
      )}
      {marks.map(({ id, atMs, balance, isDeposit }) => (
        <ReferenceDot
          key={id}
          x={atMs}
          y={approximately(balance)}
          r={5}
          fill={isDeposit ? 'var(--gb-in-bar)' : 'var(--gb-out-bar)'}
          stroke="var(--gb-page)"
          strokeWidth={2}
          style={{ cursor: 'pointer' }}
          onClick={() => onOpen(id)}
        />
      ))}
    </AreaChart>
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
