import { type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { axisNumber, fittingLabels, labelWidth } from './axis.ts';
import classes from './Plot.module.css';
import { nearestStop, type PlotArea, plotArea } from './plot.ts';

export interface AxisLabel {
  /** The position along the axis, from 0 to 1. */
  at: number;
  label: string;
}

interface PlotProps {
  /** Round numbers in ascending order. */
  yTicks: readonly number[];
  xLabels: readonly AxisLabel[];
  /** The positions of the figures along the axis, from 0 to 1 and in ascending order. */
  stops: readonly number[];
  /** The tooltip of a figure under the pointer or with the keyboard focus. */
  noteOf: (index: number) => ReactNode;
  /** The index of the figure with the keyboard focus. */
  focused?: number | undefined;
  /** Called with the first and the last index that were selected by dragging. */
  onSelect?: (first: number, last: number) => void;
  children: (area: PlotArea, told: number | undefined) => ReactNode;
}

const labelBelow = 18;
const labelBeside = 10;

/** The axes, the grid lines and the tooltip of a chart. The children draw the figures. */
export function Plot({ yTicks, xLabels, stops, noteOf, focused, onSelect, children }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [pointed, setPointed] = useState<number>();
  const [dragged, setDragged] = useState<{ from: number; to: number }>();
  const left = labelBeside + Math.max(...yTicks.map((tick) => labelWidth(axisNumber(tick))));
  const area = plotArea({ ...size, left, lowest: yTicks[0] ?? 0, highest: yTicks.at(-1) ?? 1 });
  const told = pointed ?? focused;
  const stopAt = ({ clientX }: PointerEvent) => {
    const left = frame.current?.getBoundingClientRect().left ?? 0;
    return nearestStop(stops, (clientX - left - area.left) / (area.width || 1));
  };
  const move = (event: PointerEvent) => {
    const stop = stopAt(event);
    setPointed(stop);
    if (stop !== undefined) setDragged((present) => present && { ...present, to: stop });
  };
  const leave = () => {
    setPointed(undefined);
    setDragged(undefined);
  };
  const finish = () => {
    setDragged(undefined);
    if (!dragged || dragged.from === dragged.to) return;
    onSelect?.(Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to));
  };
  const begin = (event: PointerEvent) => {
    const stop = stopAt(event);
    if (onSelect && stop !== undefined) setDragged({ from: stop, to: stop });
  };
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-selectable={onSelect !== undefined || undefined}
      onPointerMove={move}
      onPointerDown={begin}
      onPointerUp={finish}
      onPointerLeave={leave}
      onPointerCancel={leave}
    >
      {size.width > 0 && (
        <svg width={size.width} height={size.height} className={classes.picture} aria-hidden="true">
          <Axes area={area} yTicks={yTicks} xLabels={xLabels} />
          {children(area, told)}
          {dragged && <Selection area={area} from={stops[dragged.from] ?? 0} to={stops[dragged.to] ?? 0} />}
        </svg>
      )}
      {told !== undefined && size.width > 0 && (
        <NotePlace at={area.x(stops[told] ?? 0)} width={size.width}>
          {noteOf(told)}
        </NotePlace>
      )}
    </div>
  );
}

/**
 * The size of an element. The observer reports it once the page has its layout: measuring earlier would do the layout twice.
 * The chart is drawn in the same frame.
 */
function useSize(ref: { current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      flushSync(() =>
        setSize((present) =>
          present.width === width && present.height === height ? present : { width, height },
        ),
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

function Axes({
  area,
  yTicks,
  xLabels,
}: {
  area: PlotArea;
  yTicks: readonly number[];
  xLabels: readonly AxisLabel[];
}) {
  const bottom = area.top + area.height;
  return (
    <>
      {yTicks.map((tick) => (
        <g key={tick}>
          <line
            x1={area.left}
            x2={area.left + area.width}
            y1={area.y(tick)}
            y2={area.y(tick)}
            className={classes.grid}
            data-zero={tick === 0 || undefined}
          />
          <text x={area.left - labelBeside} y={area.y(tick)} dy="0.32em" className={classes.beside}>
            {axisNumber(tick)}
          </text>
        </g>
      ))}
      {fittingLabels(xLabels, area.width).map(({ at, label }) => (
        <text key={at} x={area.x(at)} y={bottom + labelBelow} className={classes.below}>
          {label}
        </text>
      ))}
    </>
  );
}

function Selection({ area, from, to }: { area: PlotArea; from: number; to: number }) {
  const left = area.x(Math.min(from, to));
  return (
    <rect
      x={left}
      y={area.top}
      width={area.x(Math.max(from, to)) - left}
      height={area.height}
      className={classes.selection}
    />
  );
}

const noteGap = 14;

/** Places the tooltip beside the figure, on the side with more room. */
function NotePlace({ at, width, children }: { at: number; width: number; children: ReactNode }) {
  const isRight = at < width / 2;
  const style = isRight ? { left: at + noteGap } : { right: width - at + noteGap };
  return (
    <div className={classes.note} style={style}>
      {children}
    </div>
  );
}
