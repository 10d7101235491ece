import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Comparison } from './measure.ts';
import { noteOfHost } from './quiet.ts';

/** The findings of a whole run so far, for `--resume` after one that was cut off. */
const KEPT_FILE = fileURLToPath(new URL('../data/findings.json', import.meta.url));

/** A figure that is compared with no other one. */
export interface Figure {
  title: string;
  value: number;
  unit: string;
  atMost?: number;
  /** The highest share of processor time that the host took in a round; absent without rounds. */
  stolenPercent?: number;
}

/** The findings of a run so far. Each is printed when it is added. */
export interface Findings {
  comparisons: Comparison[];
  figures: Figure[];
  /** Facts about the machine that only a job learns, such as the version of a database. */
  facts: Map<string, string>;
  addComparison: (comparison: Comparison) => void;
  addFigure: (figure: Figure) => void;
}

interface KeptFindings {
  startedAt: string;
  /** Names of the jobs that are done. */
  done: string[];
  comparisons: Comparison[];
  figures: Figure[];
  facts: [string, string][];
}

/** The findings of a new run, or of one that resumes another. */
export function createFindings(kept?: KeptFindings): Findings {
  const comparisons = kept?.comparisons ?? [];
  const figures = kept?.figures ?? [];
  return {
    comparisons,
    figures,
    facts: new Map(kept?.facts),
    addComparison(comparison) {
      replaceOrAdd(comparisons, comparison);
      printComparison(comparison);
    },
    addFigure(figure) {
      replaceOrAdd(figures, figure);
      printFigure(figure);
    },
  };
}

/** A stage that is started again finds some things a second time, and the last time counts. */
function replaceOrAdd<Finding extends { title: string }>(findings: Finding[], finding: Finding): void {
  const index = findings.findIndex(({ title }) => title === finding.title);
  if (index === -1) {
    findings.push(finding);
  } else {
    findings[index] = finding;
  }
}

export function readKept(): KeptFindings | undefined {
  return existsSync(KEPT_FILE) ? JSON.parse(readFileSync(KEPT_FILE, 'utf8')) : undefined;
}

/** Keeps what was found until now. */
export function createKeeper({ comparisons, figures, facts }: Findings, earlier?: KeptFindings) {
  const startedAt = earlier?.startedAt ?? new Date().toISOString();
  const done = earlier?.done ?? [];
  function keep(): void {
    const kept: KeptFindings = { startedAt, done, comparisons, figures, facts: [...facts] };
    mkdirSync(path.dirname(KEPT_FILE), { recursive: true });
    writeFileSync(KEPT_FILE, JSON.stringify(kept));
  }
  return {
    keep,
    keepDone(jobName: string): void {
      done.push(jobName);
      keep();
    },
    forget: () => rmSync(KEPT_FILE, { force: true }),
  };
}

function printComparison(comparison: Comparison): void {
  const { measured, limit, ratio, spread, reach, cpuMicroseconds, stolenPercent } = comparison;
  const verdict = reach === undefined ? '' : ratio >= reach ? `, reaches ${reach}` : `, BELOW ${reach}`;
  const range = `${cut(spread.lowest)} to ${cut(spread.highest)}`;
  const cpu = `${cpuMicroseconds.measured.toFixed(1)} to ${cpuMicroseconds.limit.toFixed(1)} us`;
  console.log(
    `  ${whole(measured)} of ${whole(limit)} requests/s: ${cut(ratio)} (${range})${verdict}; ${cpu}${noteOfHost(stolenPercent)}`,
  );
}

function printFigure({ title, value, unit, atMost, stolenPercent = 0 }: Figure): void {
  const verdict = atMost === undefined ? '' : value <= atMost ? `, within ${atMost}` : `, ABOVE ${atMost}`;
  console.log(`  ${title}: ${amount({ value, unit })}${verdict}${noteOfHost(stolenPercent)}`);
}

/** The value with its unit. A value without a unit is a ratio. */
export function amount({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  return unit === '' ? value.toFixed(2) : `${value.toFixed(1)} ${unit}`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** A ratio with two places, cut and not rounded: what shows as its target has reached it. */
export function cut(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
