import type { ReactNode } from 'react';
import classes from './Plot.module.css';
import { type AxisLabel, Plot } from './Plot.tsx';
import { areaPath, linePath } from './plot.ts';

/** A marked point of the line. */
export interface PlotMark {
  id: string;
  /** The position along the axis, from 0 to 1. */
  at: number;
  value: number;
  tint: 'in' | 'out';
}

interface AreaPlotProps {
  points: readonly { at: number; value: number }[];
  /** Draws steps: the line is horizontal until the next point. */
  isStepped?: boolean;
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
  const { points, isStepped = false, yTicks, xLabels, noteOf, marks = [], onOpen, onSelect } = props;
  return (
    <Plot
      yTicks={yTicks}
      xLabels={xLabels}
      stops={points.map(({ at }) => at)}
      noteOf={noteOf}
      {...(onSelect && { onSelect })}
    >
      {(area, told) => {
        const drawn = points.map(({ at, value }) => ({ x: area.x(at), y: area.y(value) }));
        const at = told === undefined ? undefined : drawn[told];
        return (
          <>
            <path d={areaPath(drawn, isStepped, area.y(0))} className={classes.area} />
            <path d={linePath(drawn, isStepped)} className={classes.line} />
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
