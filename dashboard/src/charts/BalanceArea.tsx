import { t } from '@lingui/core/macro';
import { approximately, formatMoney } from '../components/money.ts';
import { axisMoment, exactMoment, shortMoment } from '../components/time.ts';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { AreaPlot } from './AreaPlot.tsx';
import { roundTicks } from './axis.ts';
import { type DrawnSpan, isBand, lineCorners } from './balance-spans.ts';
import { ChartNote } from './ChartNote.tsx';

/** A notable transaction, marked at the balance after it. */
export interface Mark {
  id: string;
  atMs: number;
  balance: string;
  isDeposit: boolean;
}

interface BalanceAreaProps {
  spans: readonly DrawnSpan[];
  marks: readonly Mark[];
  /** Called with the two ends of the range that was selected by dragging. */
  onSelect: (range: { sinceMs: number; untilMs: number }) => void;
  onOpen: (id: string) => void;
}

/**
 * The balance over time: a line, and a band between the lowest and the highest balance wherever one column has several
 * transactions. Dragging selects a range.
 */
export function BalanceArea({ spans, marks, onSelect, onOpen }: BalanceAreaProps) {
  const isPhone = useIsPhone();
  const startMs = spans[0]?.fromMs ?? 0;
  const lengthMs = (spans.at(-1)?.toMs ?? 0) - startMs || 1;
  const place = (atMs: number) => (atMs - startMs) / lengthMs;
  const bands = spans.filter(isBand).map(({ fromMs, toMs, lowest, highest }) => ({
    from: place(fromMs),
    to: place(toMs),
    lowest: approximately(lowest),
    highest: approximately(highest),
  }));
  const bounds = spans.flatMap(({ lowest, highest }) => [approximately(lowest), approximately(highest)]);
  const select = (first: number, last: number) => {
    const [sinceMs, untilMs] = [spans[first]?.fromMs, spans[last]?.toMs];
    // The last selected span is part of the range.
    if (sinceMs !== undefined && untilMs !== undefined) onSelect({ sinceMs, untilMs: untilMs + 1 });
  };
  return (
    <AreaPlot
      points={spans.map(({ toMs, last }) => ({ at: place(toMs), value: approximately(last) }))}
      line={lineCorners(spans).map(({ atMs, balance }) => ({
        at: place(atMs),
        value: approximately(balance),
      }))}
      bands={bands}
      yTicks={roundTicks(Math.min(...bounds), Math.max(...bounds), 5)}
      xLabels={evenPlaces(isPhone ? 3 : 6)
        .map((at) => ({ at, label: axisMoment(startMs + at * lengthMs, lengthMs) }))
        // In a very short time several places are in the same minute.
        .filter(({ label }, index, labels) => label !== labels[index - 1]?.label)}
      noteOf={(index) => <BalanceNote span={spans[index]} />}
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

/** The time of a span, to the second when it is one moment. */
export function spanTime({ fromMs, toMs }: DrawnSpan): string {
  return fromMs === toMs ? exactMoment(fromMs) : t`${shortMoment(fromMs)} to ${shortMoment(toMs)}`;
}

function BalanceNote({ span }: { span: DrawnSpan | undefined }) {
  if (!span) return null;
  const lines = isBand(span)
    ? [
        { label: t`Balance at the end`, value: formatMoney(span.last) },
        { label: t`Highest`, value: formatMoney(span.highest) },
        { label: t`Lowest`, value: formatMoney(span.lowest) },
      ]
    : [{ label: t`Balance`, value: formatMoney(span.last) }];
  return <ChartNote title={spanTime(span)} lines={lines} />;
}

/** The middles of `count` equal parts, so that the first and the last label keep a distance from the edges. */
function evenPlaces(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + 0.5) / count);
}
