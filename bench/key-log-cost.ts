import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS, requirePrograms } from '../scripts/requirements.ts';
import {
  makeLedgerFile,
  moveToDatabase,
  programOf,
  STORES,
  type StoreName,
  serveTree,
} from './compare/tree.ts';
import type { Slice } from './key-log/switch.ts';
import { GROUP_SIZE } from './support/group.ts';
import { createLoads, type Loads } from './support/loads.ts';
import { markdownTable } from './support/markdown-table.ts';
import { type Estimate, estimateMedian, median } from './support/measure.ts';
import { createFolder } from './support/processes.ts';
import { runAndUndo, undoAfter } from './support/undo.ts';
import { runWrk, writeScript } from './support/wrk.ts';

/**
 * The cost of counting and keeping the requests of keys: the rate of each job with it against without it, in one process that
 * switches it on and off every hundredth of a second. 20 seconds a job, twice to four times that for those that scatter,
 * all jobs and both stores by default:
 *
 *   node scripts/launch.js bench/key-log-cost.ts [seconds] [job,job] [sqlite|postgres]
 *
 * The stores are in memory, where commits return at once: the time of a disk scatters more than the log costs.
 * KEY_LOG_CONTROL=1 records every slice, which shows the error of the measurement: each ratio should be 1.
 */
const IN_MEMORY = '/dev/shm';
const SECONDS = Number(process.argv[2] ?? 20);
const WARM_UP_SECONDS = 4;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SWITCH = fileURLToPath(new URL('./key-log/switch.ts', import.meta.url));
const SIZE = { rows: 30_000, accounts: { hundred: 100, tenThousand: 10_000, million: 10_000 } };
/** Jobs of the interface whose requests have a key, and refusals, which are also kept one by one. */
const JOBS: readonly (keyof Loads)[] = [
  'discharge',
  'verification',
  'listHundred',
  'listFilteredInTurn',
  'history',
  'feed',
  'mixed',
  'postDistinct',
  'postOne',
  'postIdempotent',
  'batch',
  'refusedAbsent',
];
/** A slice has few of these requests, so that their rate scatters more: they are measured this number of times as long. */
const LONGER: Readonly<Record<string, number>> = {
  listFilteredInTurn: 2,
  mixed: 2,
  postDistinct: 2,
  postOne: 2,
  postIdempotent: 2,
  batch: 4,
};
const CHOSEN_STORES = STORES.filter((store) => store === (process.argv[4] ?? store));
const CHOSEN = JOBS.filter((job) => process.argv[3]?.split(',').includes(job) ?? true);

interface Cost extends Estimate {
  slices: number;
  cpu: number;
}

/**
 * The rate with the log divided by the rate without it: the median over groups of slices that followed one another, since the speed of a
 * machine changes from one second to the next.
 */
function costOf(slices: readonly Slice[]): Cost {
  const groups = Array.from(Map.groupBy(slices, ({ group }) => group).values()).filter(
    ({ length }) => length === GROUP_SIZE,
  );
  if (groups.length === 0) {
    throw new Error('the service ended too few slices');
  }
  const rates = groups.map((group) => ratioOf(group, 'wallMs'));
  const cpu = median(groups.map((group) => ratioOf(group, 'cpuMs')));
  return { slices: slices.length, cpu, ...estimateMedian(rates) };
}

/** The time of a request without the log divided by that with it. */
function ratioOf(group: readonly Slice[], field: 'wallMs' | 'cpuMs'): number {
  const [on, off] = [true, false].map((isOn) => {
    const ofKind = group.filter((slice) => slice.isOn === isOn);
    const sum = (name: 'wallMs' | 'cpuMs' | 'requests') =>
      ofKind.reduce((before, slice) => before + slice[name], 0);
    return sum(field) / sum('requests');
  });
  return (off ?? Number.NaN) / (on ?? Number.NaN);
}

function slicesBetween(file: string, startMs: number, endMs: number): Slice[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines
    .map((line) => JSON.parse(line) as Slice)
    .filter(({ endedAtMs, wallMs }) => endedAtMs - wallMs >= startMs && endedAtMs <= endMs);
}

async function measureOn(store: StoreName): Promise<string[][]> {
  const home = createFolder(IN_MEMORY);
  const ledger = path.join(home, `${store}.db`);
  const slicesFile = path.join(home, `${store}.slices`);
  const keys = await makeLedgerFile(ROOT, { file: ledger, size: SIZE });
  const database =
    store === 'postgres' ? await moveToDatabase(ledger, programOf(ROOT), IN_MEMORY) : undefined;
  const service = await serveTree(programOf(ROOT), {
    databaseUrl: database?.url ?? `sqlite:${ledger}`,
    keys,
    nodeArguments: ['--import', SWITCH],
    env: { KEY_LOG_SLICES: slicesFile },
  });
  const loads = createLoads(keys);
  const rows: string[][] = [];
  for (const job of CHOSEN) {
    const load = loads[job] as Parameters<typeof writeScript>[2];
    const script = writeScript(home, job, load);
    const run = (seconds: number) =>
      runWrk(script, service.address, { seconds, connections: load.connections });
    await run(WARM_UP_SECONDS);
    const startMs = Date.now();
    const { requestsPerSecond } = await run(SECONDS * (LONGER[job] ?? 1));
    const cost = costOf(slicesBetween(slicesFile, startMs, Date.now()));
    const cells = [cost.middle, cost.low, cost.high, cost.cpu].map((value) => value.toFixed(3));
    rows.push([job, store, String(Math.round(requestsPerSecond)), String(cost.slices), ...cells]);
    console.log(rows.at(-1)?.join('  '));
  }
  return rows;
}

async function main(): Promise<void> {
  requirePrograms('The benchmarks', [PROGRAMS.wrk, PROGRAMS.postgres]);
  const rows: string[][] = [];
  for (const store of CHOSEN_STORES) {
    await undoAfter(async () => {
      rows.push(...(await measureOn(store)));
    });
  }
  const head = [
    'job',
    'store',
    'requests/s',
    'slices',
    'rate with / without',
    'from',
    'to',
    'by processor time',
  ];
  console.log(`\n${markdownTable(head, rows)}`);
}

await runAndUndo(main);
