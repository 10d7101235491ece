import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Comparison } from './measure.ts';

/** A figure that stands on its own. */
export interface Figure {
  title: string;
  value: number;
  unit: string;
  atMost?: number;
}

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));

export function printComparison(comparison: Comparison): void {
  const { title, measured, limit, ratio, spread, reach, cpuMicroseconds } = comparison;
  const verdict = reach === undefined ? '' : ratio >= reach ? `  reaches ${reach}` : `  BELOW ${reach}`;
  const rates = `${whole(measured).padStart(8)} of ${whole(limit).padStart(8)}/s`;
  const range = `(${spread[0].toFixed(2)} to ${spread[1].toFixed(2)})`;
  const cpu = `${cpuMicroseconds.map((one) => one.toFixed(1)).join(' to ')} us`;
  console.log(`${title.padEnd(50)} ${rates}  ${ratio.toFixed(2)} ${range}${verdict}  ${cpu}`);
}

/** Prints the figures; a whole run is also kept as JSON and as a Markdown table. */
export function writeReport(report: {
  comparisons: Comparison[];
  figures: Figure[];
  isQuick: boolean;
}): void {
  for (const { title, value, unit, atMost } of report.figures) {
    const verdict = atMost === undefined ? '' : value <= atMost ? `  within ${atMost}` : `  ABOVE ${atMost}`;
    console.log(`${title.padEnd(70)} ${value.toFixed(1)} ${unit}${verdict}`);
  }
  if (report.isQuick) {
    return;
  }
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    node: process.version,
  };
  mkdirSync(RESULTS, { recursive: true });
  const { comparisons, figures } = report;
  writeFileSync(`${RESULTS}latest.json`, `${JSON.stringify({ machine, comparisons, figures }, null, 2)}\n`);
  writeFileSync(`${RESULTS}latest.md`, markdown(report, machine));
  console.log('\nwritten to bench/results/latest.json and latest.md');
}

function markdown(
  { comparisons, figures }: { comparisons: Comparison[]; figures: Figure[] },
  machine: { cores: number; processor: string; memoryBytes: number; node: string },
): string {
  const rows = comparisons.map(
    ({ title, measured, limit, ratio, spread, reach }) =>
      `| ${title} | ${whole(measured)} | ${whole(limit)} | **${ratio.toFixed(2)}** | ${spread[0].toFixed(2)} to ${spread[1].toFixed(2)} | ${reach ?? ''} |`,
  );
  const facts = figures.map(
    ({ title, value, unit, atMost }) =>
      `| ${title} | ${value.toFixed(1)} ${unit} | ${atMost === undefined ? '' : `${atMost} ${unit}`} |`,
  );
  const memory = `${Math.round(machine.memoryBytes / 2 ** 30)} GiB`;
  return `Node ${machine.node}, ${machine.cores} cores (${machine.processor}), ${memory} of memory.

| job | requests/s | limit | ratio | of the rounds | to reach |
|---|---|---|---|---|---|
${rows.join('\n')}

| figure | value | at most |
|---|---|---|
${facts.join('\n')}
`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
