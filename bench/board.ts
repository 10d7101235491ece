import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openToolbox, systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { countIn } from './support/counted.ts';
import { GUILD_ID, SMALL } from './support/ledger-file.ts';
import { createLoads } from './support/loads.ts';
import { type Estimate, median } from './support/measure.ts';
import { prepareLedger } from './support/prepare.ts';
import { createFolder } from './support/processes.ts';
import { startBareServer, startService } from './support/servers.ts';
import { measureToggled } from './support/toggled.ts';
import { runAndUndo } from './support/undo.ts';
import { type Load, runWrk, writeScript } from './support/wrk.ts';

/**
 * The rate of a public board against a bare server that sends the same bytes, and the mixed load of the interface beside 1,000 visitors a
 * second against the mixed load alone, which begin and pause every second: visitors of the board, and visitors of a bare server in the same
 * process, the least that `node:http` costs. On SQLite, with a ledger of 10,000 transactions. Arguments: rounds of the board, seconds of a
 * round, groups of four seconds.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 5);
const GROUPS = Number(process.argv[4] ?? 60);
const VISITOR_CONNECTIONS = 64;
/** With the time of an answer beside the mixed load, each of the connections has about sixteen visits a second. */
const PAUSE_MS = 56;
const NAME = 'bench-board';
/** A module for `--import` of a service whose visits a bare server answers. */
const BARE_VISITS = fileURLToPath(new URL('./support/bare-visits.ts', import.meta.url));
const ACTOR = { kind: 'operator', id: 'bench' } as const;
const VISIT: Load = { count: 1, request: () => ({ path: `/board/${NAME}` }) };
/** A visit as browsers send it. */
const BROWSER_VISIT: Load = {
  count: 1,
  request: () => ({ path: `/board/${NAME}`, headers: { 'accept-encoding': 'gzip, deflate, br' } }),
};

async function publish(databaseUrl: string): Promise<void> {
  const toolbox = await openToolbox(readConfig({ DATABASE_URL: databaseUrl }), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'error' }),
    onFatal(error: Error) {
      throw error;
    },
  });
  const parts = { names: true, leaderboard: true, totals: true, chart: true, commands: true };
  const board = { ...parts, name: NAME, isPublished: true, movesMinUnits: 10_000 };
  const guild = await toolbox.guilds.find(GUILD_ID);
  await toolbox.store.boards.set(guild, board, { actor: ACTOR, atMs: Date.now() });
  await toolbox.close();
}

interface Round {
  board: number;
  bare: number;
}

async function run(): Promise<void> {
  const { file, keys } = await prepareLedger('board', SMALL);
  const databaseUrl = `sqlite:${file}`;
  await publish(databaseUrl);
  const folder = createFolder();
  const service = await startService({ databaseUrl });
  const bare = await startBareServer(VISIT, service.address);
  const visits = writeScript(folder, 'visits', VISIT);
  const requests = writeScript(folder, 'mixed', createLoads(keys).mixed);
  const rateOf = async (script: string, address: string, seconds = SECONDS) => {
    const { requestsPerSecond, failures, failed } = await runWrk(script, address, { seconds });
    if (failures > 0) {
      throw new Error(`${failures} requests failed: ${failed}`);
    }
    return requestsPerSecond;
  };
  async function measure(): Promise<Round> {
    return { board: await rateOf(visits, service.address), bare: await rateOf(visits, bare.address) };
  }

  await measure();
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await measure());
  }
  const middle = (of: (round: Round) => number) => median(rounds.map(of));
  const rounded = (of: (round: Round) => number) => Math.round(middle(of));
  console.log(`medians of ${ROUNDS} rounds of ${SECONDS} s`);
  console.log(`/board/<name>: ${rounded(({ board }) => board)} visits/s, bare ${rounded((one) => one.bare)}`);
  console.log(`of bare: ${middle((one) => one.board / one.bare).toFixed(3)}, at least 0.6 is wanted`);
  await bare.stop();
  await service.stop();
  const beside = { databaseUrl, folder, requests };
  await printBeside({ ...beside, to: 'the board', modules: [] });
  await printBeside({
    ...beside,
    to: 'a bare server in the same process',
    modules: [BARE_VISITS],
  });
}

/** Measures the mixed load beside visits and alone in one process, which loads the modules. */
async function printBeside(options: {
  databaseUrl: string;
  folder: string;
  requests: string;
  to: string;
  modules: readonly string[];
}): Promise<void> {
  const { databaseUrl, folder, requests, to, modules } = options;
  const { countFile, ...counting } = countIn(folder, `counts-${modules.length}`, modules);
  const service = await startService({ databaseUrl, ...counting });
  const found = await measureToggled({
    address: service.address,
    script: requests,
    visits: {
      script: writeScript(folder, 'visits-beside', { ...BROWSER_VISIT, pauseMs: PAUSE_MS }),
      connections: VISITOR_CONNECTIONS,
    },
    countFile,
    groups: GROUPS,
  });
  const text = ({ middle, low, high }: Estimate) =>
    `${middle.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  console.log(
    `mixed load alone: ${Math.round(found.alone)} requests/s; beside ${Math.round(found.visits)} visits/s ${to}: ` +
      `${text(found.ratio)} of it, at least 0.95 is wanted; in a second of processor time of the main thread ${text(found.cpuRatio)}`,
  );
  await service.stop();
}

await runAndUndo(run);
