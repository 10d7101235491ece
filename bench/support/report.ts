import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { amount, cut, type Figure, type Findings, whole } from './findings.ts';
import { describeMachine } from './machine.ts';
import { markdownTable } from './markdown-table.ts';
import type { Comparison } from './measure.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RESULTS = 'bench/results/latest';
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';
const HOST = 'taken by the host, %';

/** Keeps a whole run: as JSON, as Markdown, and in the document that explains it. */
export function writeReport({ comparisons, figures, facts }: Findings): void {
  const machine = describeMachine(facts);
  const all = `${machineTable(machine)}\n\n${comparisonTable(comparisons)}\n\n${figureTable(figures)}`;
  mkdirSync(new URL('../results/', import.meta.url), { recursive: true });
  writeFileSync(`${ROOT}${RESULTS}.json`, `${JSON.stringify({ machine, comparisons, figures }, null, 2)}\n`);
  writeFileSync(`${ROOT}${RESULTS}.md`, `${all}\n`);
  replaceTable('bench/README.md', all);
  console.log(`\nwritten to ${RESULTS}.json and .md and bench/README.md`);
}

function machineTable(machine: Record<string, string>): string {
  return markdownTable(
    ['machine', ''],
    Object.entries(machine).map(([name, value]) => [name, value]),
  );
}

function comparisonTable(comparisons: readonly Comparison[]): string {
  return markdownTable(
    ['job', 'requests/s', 'bare', 'ratio', 'spread', 'target', 'reached', 'CPU µs, service / bare', HOST],
    comparisons.map(
      ({ title, measured, limit, ratio, spread, reach, cpuMicroseconds: cpu, stolenPercent }) => [
        title,
        whole(measured),
        whole(limit),
        `**${cut(ratio)}**`,
        `${cut(spread.lowest)} to ${cut(spread.highest)}`,
        reach?.toFixed(2) ?? '',
        reach === undefined ? '' : yesOrNo(ratio >= reach),
        `${cpu.measured.toFixed(0)} / ${cpu.limit.toFixed(0)}`,
        hostShare(stolenPercent),
      ],
    ),
  );
}

function figureTable(figures: readonly Figure[]): string {
  return markdownTable(
    ['figure', 'value', 'at most', 'reached', HOST],
    figures.map(({ title, value, unit, atMost, stolenPercent }) => [
      title,
      amount({ value, unit }),
      atMost === undefined ? '' : `${atMost} ${unit}`.trim(),
      atMost === undefined ? '' : yesOrNo(value <= atMost),
      hostShare(stolenPercent),
    ]),
  );
}

function hostShare(percent: number | undefined): string {
  return percent?.toFixed(0) ?? '';
}

function yesOrNo(isReached: boolean): string {
  return isReached ? 'yes' : '**no**';
}

/** Replaces the text between the marks of a document. */
function replaceTable(file: string, text: string): void {
  const old = readFileSync(`${ROOT}${file}`, 'utf8');
  const [begin, end] = [old.indexOf(BEGIN), old.indexOf(END)];
  if (begin === -1 || end < begin) {
    throw new Error(`${file} has no place for the table: ${BEGIN} and ${END}`);
  }
  writeFileSync(`${ROOT}${file}`, `${old.slice(0, begin + BEGIN.length)}\n${text}\n${old.slice(end)}`);
}
