import { markdownTable } from '../support/markdown-table.ts';
import { median } from '../support/measure.ts';
import { MEGABYTE } from '../support/processes.ts';
import { noteOfHost } from '../support/quiet.ts';
import type { LoadResult, Measured, Round } from './measure-load.ts';
import type { StoreName } from './tree.ts';

/** A ratio of processor times above this is marked. */
const RATIO_MAX = 1.05;
/** Below this a database server's time is that of its background work, and two of them are not compared. */
const DATABASE_MICROSECONDS_MIN = 10;

export interface LoadRow extends LoadResult {
  load: string;
  store: StoreName;
}

/** Resident memory of a service: after each of its loads, and at its highest. */
export interface MemoryRow {
  store: StoreName;
  name: string;
  afterLoadsBytes: number[];
  peakBytes: number;
}

/** A line for each tree, printed as soon as the load is measured. */
export function linesOf({ load, store, trees, bare, stolenPercent }: LoadRow): string[] {
  const rateOf = (measured: Measured) => middleOf(measured, 'requestsPerSecond') ?? 0;
  return [...(bare === undefined ? [] : [bare]), ...trees].map((measured) => {
    const { name } = measured;
    const ofBare = bare && `  ${(rateOf(measured) / rateOf(bare)).toFixed(2)} of bare`;
    const service = writeMicroseconds(middleOf(measured, 'serviceMicroseconds')).padStart(7);
    const database = middleOf(measured, 'databaseMicroseconds');
    const rest = database === undefined ? '' : `, database ${writeMicroseconds(database).padStart(7)} us`;
    const rate = rateOf(measured).toFixed(0).padStart(7);
    return `${store.padEnd(8)} ${load.padEnd(22)} ${name.padEnd(16)} ${rate}/s${ofBare ?? ''}  service ${service} us${rest}${noteOfHost(stolenPercent)}`;
  });
}

/** The processor time of all trees, and the ratio of the last one to the first one: of the medians, and of single rounds. */
export function loadTable(rows: readonly LoadRow[]): string {
  const names = rows[0]?.trees.map(({ name }) => name) ?? [];
  const head = [
    'load',
    'store',
    ...names.map((name) => `${name} us`),
    'ratio',
    'of rounds',
    ...names.map((name) => `${name} database us`),
    'ratio',
  ];
  const cells = rows.map(({ load, store, trees }) => [
    load,
    store,
    ...trees.map((tree) => writeMicroseconds(middleOf(tree, 'serviceMicroseconds'))),
    writeRatio(ratioOf(trees, 'serviceMicroseconds')),
    writeSpread(trees),
    ...trees.map((tree) => writeMicroseconds(middleOf(tree, 'databaseMicroseconds'))),
    writeRatio(ratioOf(trees, 'databaseMicroseconds', DATABASE_MICROSECONDS_MIN)),
  ]);
  return markdownTable(head, cells);
}

/** Names the loads for which the last tree's service takes more than RATIO_MAX of the first one's processor time. */
export function listAbove(rows: readonly LoadRow[]): string {
  const above = rows.flatMap(({ load, store, trees }) => {
    const ratio = ratioOf(trees, 'serviceMicroseconds');
    return ratio !== undefined && ratio > RATIO_MAX ? [`${load} on ${store} (${ratio.toFixed(3)})`] : [];
  });
  return `Service above ${RATIO_MAX}: ${above.length === 0 ? 'none' : above.join(', ')}`;
}

export function memoryTable(rows: readonly MemoryRow[]): string {
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
  return markdownTable(
    ['store', 'tree', 'MB after a load, median', 'MB after the last load', 'MB at its highest'],
    rows.map(({ store, name, afterLoadsBytes, peakBytes }) => [
      store,
      name,
      megabytes(median(afterLoadsBytes)),
      megabytes(afterLoadsBytes.at(-1) ?? 0),
      megabytes(peakBytes),
    ]),
  );
}

function middleOf({ rounds }: Measured, field: keyof Round): number | undefined {
  const values = rounds.flatMap((round) => round[field] ?? []);
  return values.length === 0 ? undefined : median(values);
}

/** Undefined where neither value is above `least`. */
function ratioOf(trees: readonly Measured[], field: keyof Round, least = 0): number | undefined {
  const [first, last] = [trees[0], trees.at(-1)].map((tree) => tree && middleOf(tree, field));
  return first === undefined || last === undefined || Math.max(first, last) <= least
    ? undefined
    : last / first;
}

function writeRatio(ratio: number | undefined): string {
  if (ratio === undefined) {
    return '';
  }
  return ratio > RATIO_MAX ? `**${ratio.toFixed(3)}**` : ratio.toFixed(3);
}

function writeSpread(trees: readonly Measured[]): string {
  const [first, last] = [trees[0], trees.at(-1)];
  const ratios = (last?.rounds ?? []).map(
    ({ serviceMicroseconds }, round) =>
      serviceMicroseconds / (first?.rounds[round]?.serviceMicroseconds ?? Number.NaN),
  );
  return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
}

function writeMicroseconds(value: number | undefined): string {
  return value?.toFixed(1) ?? '';
}
