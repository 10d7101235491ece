import type { ReactNode } from 'react';
import classes from './Plot.module.css';
import { type AxisLabel, Plot } from './Plot.tsx';
import { areaPath, boxesPath, linePath, type PlotArea } from './plot.ts';

/** A marked point of the line. */
export interface PlotMark {
  id: string;
  /** The position along the axis, from 0 to 1. */
  at: number;
  value: number;
  tint: 'in' | 'out';
}

export interface PlotPoint {
  at: number;
  value: number;
}

/** A part of the axis in which the value lies between two bounds. */
export interface PlotBand {
  from: number;
  to: number;
  lowest: number;
  highest: number;
}

interface AreaPlotProps {
  /** The points with a tooltip. */
  points: readonly PlotPoint[];
  /** The corners of the line; by default the points. */
  line?: readonly PlotPoint[];
  bands?: readonly PlotBand[];
  yTicks: readonly number[];
  xLabels: readonly AxisLabel[];
  noteOf: (index: number) => ReactNode;
  marks?: readonly PlotMark[];
  onOpen?: (id: string) => void;
  onSelect?: (first: number, last: number) => void;
}

const dotRadius = 4;
const markRadius = 5;

/** A line over time, with the area down to zero filled. */
export function AreaPlot(props: AreaPlotProps) {
  const { points, line = points, bands = [], yTicks, xLabels, noteOf, marks = [], onOpen, onSelect } = props;
  return (
    <Plot
      yTicks={yTicks}
      xLabels={xLabels}
      stops={points.map(({ at }) => at)}
      noteOf={noteOf}
      {...(onSelect && { onSelect })}
    >
      {(area, told) => {
        const drawn = line.map((point) => placeOf(area, point));
        const toldPoint = told === undefined ? undefined : points[told];
        const at = toldPoint && placeOf(area, toldPoint);
        return (
          <>
            <path d={areaPath(drawn, area.y(0))} className={classes.area} />
            <path d={boxesPath(bands.map((band) => boxOf(area, band)))} className={classes.band} />
            <path d={linePath(drawn)} className={classes.line} />
            {at && (
              <>
                <line
                  x1={at.x}
                  x2={at.x}
                  y1={area.top}
                  y2={area.top + area.height}
                  className={classes.cursor}
                />
                <circle cx={at.x} cy={at.y} r={dotRadius} className={classes.dot} />
              </>
            )}
            {marks.map((mark) => (
              // For the keyboard, the list below the picture has a button for each mark.
              // biome-ignore lint/a11y/noStaticElementInteractions: the picture is hidden from those who use the list
              <circle
                key={mark.id}
                cx={area.x(mark.at)}
                cy={area.y(mark.value)}
                r={markRadius}
                className={classes.mark}
                data-tint={mark.tint}
                onClick={() => onOpen?.(mark.id)}
              />
            ))}
          </>
        );
      }}
    </Plot>
  );
}

function placeOf(area: PlotArea, { at, value }: PlotPoint) {
  return { x: area.x(at), y: area.y(value) };
}

function boxOf(area: PlotArea, { from, to, lowest, highest }: PlotBand) {
  return { left: area.x(from), right: area.x(to), top: area.y(highest), bottom: area.y(lowest) };
}
