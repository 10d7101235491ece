/** The part of a chart inside its axes, in pixels. */
export interface PlotArea {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Converts a position along the axis, 0 to 1, to pixels. */
  x: (place: number) => number;
  y: (value: number) => number;
}

interface Frame {
  width: number;
  height: number;
  /** The lowest and the highest number of the axis. */
  lowest: number;
  highest: number;
  /** The room for the numbers of the axis, where they need more than usual. */
  left?: number;
}

const gutter = { left: 52, right: 12, top: 8, bottom: 26 };

export function plotArea({ width, height, lowest, highest, left = 0 }: Frame): PlotArea {
  const leftGutter = Math.max(gutter.left, left);
  const inner = {
    left: leftGutter,
    top: gutter.top,
    width: Math.max(0, width - leftGutter - gutter.right),
    height: Math.max(0, height - gutter.top - gutter.bottom),
  };
  return {
    ...inner,
    x: (place) => inner.left + place * inner.width,
    y: (value) => inner.top + ((highest - value) / (highest - lowest || 1)) * inner.height,
  };
}

/** The index of the stop nearest to a position; stops are in ascending order. */
export function nearestStop(stops: readonly number[], place: number): number | undefined {
  if (stops.length === 0) return undefined;
  const after = stops.findIndex((stop) => stop >= place);
  if (after === -1) return stops.length - 1;
  const before = Math.max(0, after - 1);
  return place - (stops[before] ?? 0) < (stops[after] ?? 1) - place ? before : after;
}

interface LinePoint {
  x: number;
  y: number;
}

/** The line through the points. */
export function linePath(points: readonly LinePoint[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)},${round(y)}`).join('');
}

/** The same line, closed along a horizontal level. */
export function areaPath(points: readonly LinePoint[], level: number): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  return `${linePath(points)}V${round(level)}H${round(first.x)}Z`;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const boxWidthMin = 1;

/** The boxes as one path. Each is at least a pixel wide, so that it is visible. */
export function boxesPath(boxes: readonly Box[]): string {
  return boxes
    .map(({ left, right, top, bottom }) => {
      const extra = Math.max(0, boxWidthMin - (right - left)) / 2;
      return `M${round(left - extra)},${round(top)}H${round(right + extra)}V${round(bottom)}H${round(left - extra)}Z`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
