import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROGRAMS, requirePrograms } from '../scripts/requirements.ts';
import { measureLoad } from './compare/measure-load.ts';
import {
  type LoadRow,
  linesOf,
  listAbove,
  loadTable,
  type MemoryRow,
  memoryTable,
} from './compare/report.ts';
import { STORES, type StoreName, startTree, type Tree } from './compare/tree.ts';
import type { LedgerSize } from './support/ledger-file.ts';
import { LIST_MANY_ROWS_MIN, type Loads } from './support/loads.ts';
import { createFolder } from './support/processes.ts';
import { runAndUndo, undoAfter } from './support/undo.ts';

// Measures other checkouts of this repository, each with its packages installed, against this one, all in one run and in
// alternating rounds: `npm run bench:compare -- <folder> [<folder> ...] [options]`. bench/README.md lists the options.

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    store: { type: 'string', default: 'both' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    rows: { type: 'string', default: '10000' },
    bare: { type: 'boolean', default: false },
  },
});
/** Transactions of the players that have a hundred each. */
const ROWS = Number(options.rows);
const SIZE: LedgerSize = {
  rows: ROWS + 20_000,
  // Version 0.2.0 and older give no account more rows than the one named `million`.
  accounts: { hundred: 100, tenThousand: 10_000, million: 10_000 },
};
/** The loads that this ledger can answer. Reads come first: after writes the trees no longer hold the same rows. */
const LOADS: readonly (keyof Loads)[] = [
  'discharge',
  'verification',
  'commands',
  'listHundred',
  'listTenThousand',
  'listDeepestTenThousand',
  'listFiltered',
  'listSorted',
  'listFilteredInTurn',
  'account',
  'accounts',
  'history',
  'historyOfPlayer',
  'historyPages',
  'transaction',
  'feed',
  'refusedAbsent',
  'refusedKey',
  'mixed',
  'postDistinct',
  'postManyGuilds',
  'postOne',
  'postIdempotent',
  'batch',
  'payment',
  'reversal',
  // Last, because it uses up the limit of a key that other loads post with.
  'refusedRate',
];

interface Findings {
  rows: LoadRow[];
  memory: MemoryRow[];
  /** Loads that a tree did not answer, with the reason. */
  failed: string[];
}

/** Measures all chosen loads on one store. */
async function compareOn(store: StoreName, { rows, memory, failed }: Findings): Promise<void> {
  const home = createFolder();
  const trees = await startTrees(store, home);
  const afterLoads: number[][] = [];
  const measuring = {
    home,
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    withBare: options.bare,
  };
  for (const [index, load] of chooseLoads(trees).entries()) {
    try {
      const result = await measureLoad(load, trees, { ...measuring, isFirst: index === 0 });
      const row = { load, store, ...result };
      rows.push(row);
      console.log(linesOf(row).join('\n'));
    } catch (error) {
      failed.push(`${load} on ${store}: ${error instanceof Error ? error.message : error}`);
      console.error(failed.at(-1));
    }
    afterLoads.push(trees.map(({ service }) => service.memory().nowBytes));
  }
  for (const [index, { name, service }] of trees.entries()) {
    const afterLoadsBytes = afterLoads.flatMap((bytes) => bytes[index] ?? []);
    memory.push({ store, name, afterLoadsBytes, peakBytes: service.memory().peakBytes });
  }
}

/** The folders in their order, and this checkout as the last. */
async function startTrees(store: StoreName, home: string): Promise<Tree[]> {
  const trees: Tree[] = [];
  for (const [index, folder] of [...folders, path.join(import.meta.dirname, '..')].entries()) {
    const name = `${index + 1} ${path.basename(path.resolve(folder))}`;
    trees.push(await startTree(folder, { name, store, size: SIZE, home }));
  }
  return trees;
}

/** Any load can be named with `--only`, in any order. */
function chooseLoads([tree]: readonly Tree[]): readonly (keyof Loads)[] {
  const only = options.only?.split(',');
  if (only === undefined) {
    return LOADS;
  }
  const others = (Object.keys(tree?.loads ?? {}) as (keyof Loads)[]).filter((load) => !LOADS.includes(load));
  return [...LOADS, ...others].filter((load) => only.includes(load));
}

function chooseStores(): readonly StoreName[] {
  const stores = STORES.filter((store) => options.store === 'both' || options.store === store);
  if (stores.length === 0) {
    throw new Error(`--store is one of both, ${STORES.join(', ')}`);
  }
  return stores;
}

async function main(): Promise<void> {
  const stores = chooseStores();
  if (options.only?.split(',').includes('listMany') && ROWS < LIST_MANY_ROWS_MIN) {
    throw new Error(`listMany needs --rows ${LIST_MANY_ROWS_MIN} or more`);
  }
  requirePrograms('The benchmarks', [
    PROGRAMS.wrk,
    ...(stores.includes('postgres') ? [PROGRAMS.postgres] : []),
  ]);
  const startMs = performance.now();
  const findings: Findings = { rows: [], memory: [], failed: [] };
  for (const store of stores) {
    await undoAfter(() => compareOn(store, findings));
  }
  console.log(
    `\n${loadTable(findings.rows)}\n\n${listAbove(findings.rows)}\n\n${memoryTable(findings.memory)}`,
  );
  console.log(`\nNot compared: ${findings.failed.length === 0 ? 'none' : findings.failed.join('\n')}`);
  console.log(`Took ${((performance.now() - startMs) / 60_000).toFixed(1)} minutes`);
}

await runAndUndo(main);
