import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROGRAMS, requirePrograms } from '../scripts/requirements.ts';
import { makeLedgerFile, moveToDatabase, programOf } from './compare/tree.ts';
import { type Figures, type GrownTree, measureTrees } from './growth/measure.ts';
import { mirrorLedger } from './growth/mirror.ts';
import { importRows, ROWS_OF_ACTIVE } from './growth/rows.ts';
import { SMALL } from './support/ledger-file.ts';
import { markdownTable } from './support/markdown-table.ts';
import { createFolder } from './support/processes.ts';
import { runAndUndo } from './support/undo.ts';

// Grows a store on PostgreSQL by `guildbook import transactions` and measures it while it is small and when it has grown:
// `node bench/growth.ts [<folder> ...] [--rows 20000000]`. Each folder is another checkout with its packages installed,
// which is measured beside this one in the same run. bench/README.md describes it.

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '20000000' },
    first: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
});
const SIZES = [Number(options.first), Number(options.rows)];
if (SIZES.some((rows) => rows % ROWS_OF_ACTIVE !== 0)) {
  throw new Error(`--rows and --first are multiples of ${ROWS_OF_ACTIVE}`);
}

const TITLES: Record<keyof Figures, string> = {
  bytesPerTransaction: 'bytes a transaction, table and indexes',
  indexBytesPerTransaction: 'bytes of its indexes',
  postsPerSecond: 'posts/s to players all over the ledger',
  hotPercent: 'HOT updates of accounts by posts to 1,000 players, %',
  accountBytesPerPost: 'bytes that account and its indexes grow by such a post',
  listByAmountMs: 'list by amount, ms',
  overviewMs: 'overview of 30 days, ms',
  historyMs: 'history by an absent source, ms',
};

/** This checkout comes last. The others get its rows. */
async function makeTrees(home: string): Promise<GrownTree[]> {
  const trees: GrownTree[] = [];
  for (const [index, given] of [...folders, path.join(import.meta.dirname, '..')].entries()) {
    const folder = path.resolve(given);
    const name = `${index + 1} ${path.basename(folder)}`;
    const program = programOf(folder);
    const file = path.join(home, `growth-${index}.db`);
    const keys = await makeLedgerFile(folder, { file, size: SMALL });
    const { url } = await moveToDatabase(file, program);
    trees.push({ name, folder, program, databaseUrl: url, keys });
  }
  return trees;
}

function report(trees: readonly GrownTree[], measured: readonly Map<string, Figures>[]): string {
  const [small, large] = SIZES.map((rows) => rows.toLocaleString('en'));
  const head = ['', ...trees.flatMap(({ name }) => [`${name}, ${small}`, large ?? '', 'times'])];
  const digits = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const lines = (Object.keys(TITLES) as (keyof Figures)[]).map((figure) => [
    TITLES[figure],
    ...trees.flatMap(({ name }) => {
      const [before = 0, after = 0] = measured.map((figures) => figures.get(name)?.[figure] ?? 0);
      return [digits(before), digits(after), before > 0 ? (after / before).toFixed(2) : ''];
    }),
  ]);
  return markdownTable(head, lines);
}

async function main(): Promise<void> {
  requirePrograms('The benchmarks', [PROGRAMS.wrk, PROGRAMS.postgres]);
  const startMs = performance.now();
  const minutes = () => ((performance.now() - startMs) / 60_000).toFixed(1);
  const home = createFolder();
  const trees = await makeTrees(home);
  const own = trees.at(-1);
  if (own === undefined) {
    throw new Error('there is nothing to measure');
  }
  const measured: Map<string, Figures>[] = [];
  let from = 0;
  for (const rows of SIZES) {
    const rate = await importRows(own, { from, to: rows });
    console.log(`${rows - from} rows imported at ${Math.round(rate)} rows/s; ${minutes()} minutes so far`);
    from = rows;
    for (const other of trees.slice(0, -1)) {
      await mirrorLedger(own.databaseUrl, other.databaseUrl);
      console.log(`copied to ${other.name}; ${minutes()} minutes so far`);
    }
    const pace = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
    measured.push(await measureTrees(trees, { home, rows, ...pace }));
    console.log(`measured at ${rows} rows; ${minutes()} minutes so far`);
  }
  console.log(`\n${report(trees, measured)}\n\nTook ${minutes()} minutes`);
}

await runAndUndo(main);
