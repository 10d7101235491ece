import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROGRAMS, requirePrograms } from '../scripts/requirements.ts';
import { SMALL } from './support/ledger-file.ts';
import { createLoads, LIST_MANY_ROWS_MIN, type Loads } from './support/loads.ts';
import { median } from './support/measure.ts';
import { createFolder, runToEnd } from './support/processes.ts';
import { noteOfHost, runQuietRounds } from './support/quiet.ts';
import { type RunningServer, startBareServer, startService } from './support/servers.ts';
import { runAndUndo } from './support/undo.ts';
import { type Load, runWrk, writeScript } from './support/wrk.ts';

// Measures checkouts of this repository against each other and against a bare `node:http` that answers the same bytes,
// all in one run: `npm run bench:compare -- <folder> [<folder> ...] [--only <load>,...] [--rows <number>]`. Each folder is
// another checkout with its packages installed. Rounds alternate between all of them.

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, rounds: { type: 'string', default: '5' }, rows: { type: 'string' } },
});
const ROUNDS = Number(options.rounds);
/** Transactions in the ledger: players have a hundred each. */
const SIZE = { ...SMALL, ...(options.rows !== undefined && { rows: Number(options.rows) }) };
const SECONDS = 2;
const LOADS: readonly (keyof Loads)[] = [
  'discharge',
  'verification',
  'commands',
  'listHundred',
  'postDistinct',
  'mixed',
  'refusedAbsent',
  'refusedKey',
  'refusedRate',
];

interface Tree {
  name: string;
  service: RunningServer;
  loads: Loads;
}

async function startTree(folder: string, home: string, index: number): Promise<Tree> {
  const file = path.join(home, `tree-${index}.db`);
  const maker = path.join(folder, 'bench/support/make-ledger.ts');
  const keys = JSON.parse(await runToEnd(process.execPath, [maker, file, JSON.stringify(SIZE)]));
  const program = path.join(folder, 'server/bin/guildbook.js');
  const service = await startService({ databaseUrl: `sqlite:${file}`, program });
  return { name: `${index + 1} ${path.basename(path.resolve(folder))}`, service, loads: createLoads(keys) };
}

interface Round {
  rate: number;
  cpuMicroseconds: number;
}

async function measureLoad(name: keyof Loads, trees: readonly Tree[], home: string): Promise<void> {
  const [first] = trees;
  if (first === undefined) {
    return;
  }
  const bare = await startBareServer(first.loads[name], first.service.address);
  const candidates = [{ name: 'bare', service: bare, loads: first.loads }, ...trees].map((tree, index) => {
    const load: Load = tree.loads[name];
    return { ...tree, load, script: writeScript(home, `${name}-${index}`, load) };
  });

  async function measure({ script, load, service }: (typeof candidates)[number]): Promise<Round> {
    const startMs = service.cpuMs();
    const { requests, requestsPerSecond: rate } = await runWrk(script, service.address, {
      seconds: SECONDS,
      connections: load.connections,
    });
    return { rate, cpuMicroseconds: ((service.cpuMs() - startMs) * 1_000) / requests };
  }

  async function measureAll(round: number): Promise<Map<string, Round>> {
    const found = new Map<string, Round>();
    // There and back, so that none always comes after the same one.
    for (const candidate of round % 2 === 0 ? candidates : candidates.toReversed()) {
      found.set(candidate.name, await measure(candidate));
    }
    return found;
  }

  // To warm up.
  await measureAll(0);
  const { rounds, stolenPercent } = await runQuietRounds(ROUNDS, measureAll);
  await bare.stop();
  for (const { name: tree } of candidates) {
    const middle = (pick: (round: Map<string, Round>) => number | undefined) =>
      median(rounds.map((round) => pick(round) ?? Number.NaN));
    const rate = middle((round) => round.get(tree)?.rate);
    const ratio = middle((round) => (round.get(tree)?.rate ?? 0) / (round.get('bare')?.rate ?? 0));
    const cpu = middle((round) => round.get(tree)?.cpuMicroseconds);
    console.log(
      `${name.padEnd(14)} ${tree.padEnd(16)} ${rate.toFixed(0).padStart(7)}/s  ${ratio.toFixed(2)} of bare  ${cpu.toFixed(1).padStart(6)} us${noteOfHost(stolenPercent)}`,
    );
  }
}

async function main(): Promise<void> {
  const only = options.only?.split(',');
  if (only?.includes('listMany') && SIZE.rows < LIST_MANY_ROWS_MIN) {
    throw new Error(`listMany needs --rows ${LIST_MANY_ROWS_MIN} or more`);
  }
  requirePrograms('The benchmarks', [PROGRAMS.wrk]);
  const home = createFolder();
  const here = path.join(import.meta.dirname, '..');
  const trees: Tree[] = [];
  for (const [index, folder] of [...folders, here].entries()) {
    trees.push(await startTree(folder, home, index));
  }
  // Any load can be named; those above are the ones that every checkout answers.
  const names = Object.keys(trees[0]?.loads ?? {}) as (keyof Loads)[];
  for (const name of only === undefined ? LOADS : names.filter((load) => only.includes(load))) {
    await measureLoad(name, trees, home);
  }
  for (const { service } of trees) {
    await service.stop();
  }
}

await runAndUndo(main);
