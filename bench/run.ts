import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LARGE, SMALL } from './support/ledger-file.ts';
import { createLoads, type Loads } from './support/loads.ts';
import { type Comparison, compare, compareWithBare, type Pace } from './support/measure.ts';
import { prepareLedger } from './support/prepare.ts';
import { type Figure, printComparison, writeReport } from './support/report.ts';
import { type RunningServer, startService } from './support/servers.ts';
import { runSteadyLoad } from './support/steady-load.ts';
import { requireWrk } from './support/wrk.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const isQuick = options.quick === true;
const pace: Pace = isQuick
  ? { rounds: 3, seconds: 1, warmUpSeconds: 1 }
  : { rounds: 5, seconds: 2, warmUpSeconds: 2 };
const MEGABYTE = 1_000_000;

/** Each job: what is asked, and the share of the bare server's rate it should reach. */
const JOBS: { load: keyof Loads; title: string; reach?: number; isQuick?: boolean }[] = [
  { load: 'discharge', title: 'get a discharge', reach: 0.7, isQuick: true },
  { load: 'verification', title: 'get a verification by username', reach: 0.65, isQuick: true },
  { load: 'commands', title: 'list all commands', reach: 0.85, isQuick: true },
  { load: 'listHundred', title: 'list first page of 20, account of 100', reach: 0.45, isQuick: true },
  { load: 'listTenThousand', title: 'list first page, account of 10,000', reach: 0.45 },
  { load: 'listMillion', title: 'list first page, account of 1,000,000', reach: 0.45 },
  { load: 'listDeepest', title: 'list deepest page, account of 1,000,000', reach: 0.45 },
  { load: 'listByAmount', title: 'sorted by amount, account of 1,000,000', reach: 0.4 },
  { load: 'listByQuantity', title: 'sorted by quantity, account of 1,000,000', reach: 0.4 },
  { load: 'listByTotal', title: 'sorted by total, account of 1,000,000', reach: 0.4 },
  { load: 'listFiltered', title: 'filtered by source and amount, account of 100' },
  { load: 'postDistinct', title: 'post, distinct players', reach: 0.55, isQuick: true },
  { load: 'postOne', title: 'post, one player', reach: 0.5 },
  { load: 'postIdempotent', title: 'post with idempotency keys' },
  { load: 'mixed', title: 'mixed load', reach: 0.45, isQuick: true },
];

const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-bench-'));
const comparisons: Comparison[] = [];
const figures: Figure[] = [];

function isWanted(load: string): boolean {
  return options.only === undefined || options.only.split(',').includes(load);
}

function add(comparison: Comparison): void {
  comparisons.push(comparison);
  printComparison(comparison);
}

async function runJobs(service: RunningServer, loads: Loads): Promise<void> {
  for (const { load, title, reach, isQuick: belongsToQuick } of JOBS) {
    if (isWanted(load) && (!isQuick || belongsToQuick === true)) {
      add(await compareWithBare(title, loads[load], service, { folder, pace, reach }));
    }
  }
}

/** Pages and ledgers against each other: what must not depend on depth or size. */
async function runSizes(service: RunningServer, loads: Loads): Promise<void> {
  if (isWanted('depth')) {
    const candidates = [
      { name: 'deepest', load: loads.listDeepest, server: service },
      { name: 'first', load: loads.listMillion, server: service },
    ] as const;
    const title = 'deepest page / first page, account of 1,000,000';
    add(await compare(title, [...candidates], { folder, pace, reach: 0.9 }));
  }
  if (isWanted('size')) {
    const small = prepareLedger('small', SMALL);
    const other = await startService({ databaseUrl: `sqlite:${small.file}` });
    const candidates = [
      { name: 'large', load: loads.listHundred, server: service },
      { name: 'small', load: createLoads(small.keys).listHundred, server: other },
    ] as const;
    const title = 'first page in a ledger of 10,000,000 / of 10,000';
    add(await compare(title, [...candidates], { folder, pace, reach: 0.9 }));
    await other.stop();
    small.remove();
  }
}

/** Waits under a steady load: at half of the peak, and while somebody counts through a whole large account. */
async function runWaits(service: RunningServer, loads: Loads): Promise<void> {
  const peak = comparisons.find(({ title }) => title === 'mixed load')?.measured ?? 4_000;
  const half = await runSteadyLoad(loads.mixed, service.address, { perSecond: peak / 2, seconds: 8 });
  figures.push({
    title: `p99 of the mixed load at ${Math.round(peak / 2)} requests/s`,
    value: half.p99Ms,
    unit: 'ms',
    atMost: 10,
  });
  let isOver = false;
  const counting = (async () => {
    let counts = 0;
    for (; !isOver; counts += 1) {
      const { path: target, key = '' } = loads.listMillion.request(counts);
      const answer = await fetch(`${service.address}${target}?from=source-3`, {
        headers: { 'x-api-key': key },
      });
      await answer.arrayBuffer();
    }
    return counts;
  })();
  const beside = await runSteadyLoad(loads.discharge, service.address, { perSecond: 500, seconds: 8 });
  isOver = true;
  figures.push({
    title: `p99 of others beside ${await counting} filtered counts over 1,000,000 rows`,
    value: beside.p99Ms,
    unit: 'ms',
    atMost: 25,
  });
}

async function main(): Promise<void> {
  requireWrk();
  const ledger = prepareLedger('large', isQuick ? SMALL : LARGE);
  const loads = createLoads(ledger.keys);
  const service = await startService({ databaseUrl: `sqlite:${ledger.file}` });
  try {
    figures.push({ title: 'start to ready', value: service.readyMs, unit: 'ms', atMost: 1_000 });
    figures.push({ title: 'memory after start', value: service.memory().nowBytes / MEGABYTE, unit: 'MB' });
    await runJobs(service, loads);
    if (!isQuick) {
      await runSizes(service, loads);
      if (isWanted('waits')) await runWaits(service, loads);
    }
    const { peakBytes } = service.memory();
    figures.push({
      title: 'memory under load, at its highest',
      value: peakBytes / MEGABYTE,
      unit: 'MB',
      atMost: 160,
    });
  } finally {
    await service.stop();
    ledger.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  writeReport({ comparisons, figures, isQuick: isQuick || options.only !== undefined });
}

await main();
