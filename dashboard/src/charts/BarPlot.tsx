import type { ReactNode } from 'react';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { spreadTicks } from './axis.ts';
import classes from './Plot.module.css';
import { Plot } from './Plot.tsx';
import type { PlotArea } from './plot.ts';

/** A coloured part of a bar, from one value to another. */
export interface BarPart {
  tint: 'in' | 'out' | 'refused';
  from: number;
  to: number;
  onOpen?: () => void;
}

export interface Bar {
  /** Unique among the bars, such as the first day. */
  id: string;
  label: string;
  parts: readonly BarPart[];
}

/** The part of a bar that has the keyboard focus. */
export interface FocusedPart {
  index: number;
  tint: 'in' | 'out';
}

interface BarPlotProps {
  bars: readonly Bar[];
  yTicks: readonly number[];
  labelsMax: { phone: number; wide: number };
  noteOf: (index: number) => ReactNode;
  focused?: FocusedPart | undefined;
}

const widthMax = 26;
const widthShare = 0.8;

/** Bars side by side. A part with a link can be clicked over the whole height above or below the zero line. */
export function BarPlot({ bars, yTicks, labelsMax, noteOf, focused }: BarPlotProps) {
  const isPhone = useIsPhone();
  const band = 1 / Math.max(1, bars.length);
  const numbered = bars.map((bar, index) => ({ ...bar, index, at: (index + 0.5) * band }));
  const labelled = spreadTicks(numbered, isPhone ? labelsMax.phone : labelsMax.wide);
  return (
    <Plot
      yTicks={yTicks}
      xLabels={labelled.map(({ at, label }) => ({ at, label }))}
      stops={numbered.map(({ at }) => at)}
      noteOf={noteOf}
      focused={focused?.index}
    >
      {(area, told) => {
        const width = Math.min(widthMax, area.width * band * widthShare);
        return (
          <>
            {told !== undefined && (
              <rect
                x={area.x(told * band)}
                y={area.top}
                width={area.width * band}
                height={area.height}
                className={classes.column}
              />
            )}
            {numbered.map(({ id, parts, index, at }) =>
              parts.map((part) => (
                <PartShape
                  key={`${id} ${part.tint}`}
                  area={area}
                  part={part}
                  left={area.x(at) - width / 2}
                  width={width}
                  isFocused={focused?.index === index && focused.tint === part.tint}
                />
              )),
            )}
            {numbered.map(({ id, parts, at }) =>
              parts.map((part) => (
                <Target key={`${id} ${part.tint}`} area={area} part={part} at={at} band={band} />
              )),
            )}
          </>
        );
      }}
    </Plot>
  );
}

interface PartShapeProps {
  area: PlotArea;
  part: BarPart;
  left: number;
  width: number;
  isFocused: boolean;
}

const corner = 2;

function PartShape({ area, part, left, width, isFocused }: PartShapeProps) {
  if (part.from === part.to) return null;
  const [top, bottom] = [area.y(Math.max(part.from, part.to)), area.y(Math.min(part.from, part.to))];
  return (
    <rect
      x={left}
      y={top}
      width={width}
      // At least one pixel, so that small values are visible.
      height={Math.max(1, bottom - top)}
      rx={Math.min(corner, width / 2)}
      className={classes.bar}
      data-tint={part.tint}
      data-focused={isFocused || undefined}
    />
  );
}

function Target({ area, part, at, band }: { area: PlotArea; part: BarPart; at: number; band: number }) {
  if (!part.onOpen || part.from === part.to) return null;
  const line = area.y(0);
  const isAbove = part.to > 0;
  const [top, bottom] = isAbove ? [area.top, line] : [line, area.top + area.height];
  return (
    // For the keyboard, the table behind the picture has a link for each part.
    // biome-ignore lint/a11y/noStaticElementInteractions: the picture is hidden from those who use the table
    <rect
      x={area.x(at - band / 2)}
      y={top}
      width={area.width * band}
      height={Math.max(0, bottom - top)}
      className={classes.target}
      onClick={part.onOpen}
    />
  );
}
