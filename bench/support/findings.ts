import type { Comparison } from './measure.ts';

/** A figure that stands on its own. */
export interface Figure {
  title: string;
  value: number;
  unit: string;
  atMost?: number;
}

/** What a run found out so far. Each finding is printed as it comes. */
export interface Findings {
  comparisons: Comparison[];
  figures: Figure[];
  /** Facts about the machine that only a job learns, such as the version of a database. */
  facts: Map<string, string>;
  addComparison: (comparison: Comparison) => void;
  addFigure: (figure: Figure) => void;
}

export function createFindings(): Findings {
  const comparisons: Comparison[] = [];
  const figures: Figure[] = [];
  return {
    comparisons,
    figures,
    facts: new Map(),
    addComparison(comparison) {
      comparisons.push(comparison);
      printComparison(comparison);
    },
    addFigure(figure) {
      figures.push(figure);
      printFigure(figure);
    },
  };
}

function printComparison(comparison: Comparison): void {
  const { measured, limit, ratio, spread, reach, cpuMicroseconds } = comparison;
  const verdict = reach === undefined ? '' : ratio >= reach ? `, reaches ${reach}` : `, BELOW ${reach}`;
  const range = `${cut(spread.lowest)} to ${cut(spread.highest)}`;
  const cpu = `${cpuMicroseconds.measured.toFixed(1)} to ${cpuMicroseconds.limit.toFixed(1)} us`;
  console.log(
    `  ${whole(measured)} of ${whole(limit)} requests/s: ${cut(ratio)} (${range})${verdict}; ${cpu}`,
  );
}

function printFigure({ title, value, unit, atMost }: Figure): void {
  const verdict = atMost === undefined ? '' : value <= atMost ? `, within ${atMost}` : `, ABOVE ${atMost}`;
  console.log(`  ${title}: ${value.toFixed(1)} ${unit}${verdict}`);
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** A ratio with two places, cut and not rounded: what shows as its target has reached it. */
export function cut(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
