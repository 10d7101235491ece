import path from 'node:path';
import { pino } from 'pino';
import { openToolbox, systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { GUILD_ID, SMALL } from './support/ledger-file.ts';
import { createLoads } from './support/loads.ts';
import { median } from './support/measure.ts';
import { prepareLedger } from './support/prepare.ts';
import { createFolder } from './support/processes.ts';
import { startBareServer, startService } from './support/servers.ts';
import { COUNT_REQUESTS, measureToggled } from './support/toggled.ts';
import { runAndUndo } from './support/undo.ts';
import { type Load, runWrk, writeScript } from './support/wrk.ts';

/**
 * The rate of a public board against a bare server that sends the same bytes, and the mixed load of the interface beside 1,000 visitors a
 * second against the mixed load alone, which begin and pause every second. On SQLite, with a ledger of 10,000 transactions. Arguments: rounds
 * of the board, seconds of a round, groups of four seconds.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 5);
const GROUPS = Number(process.argv[4] ?? 60);
const VISITOR_CONNECTIONS = 64;
/** With the time of an answer beside the mixed load, each of the connections has about sixteen visits a second. */
const PAUSE_MS = 56;
const NAME = 'bench-board';
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
  const countFile = path.join(folder, 'counts');
  const service = await startService({
    databaseUrl,
    nodeArguments: ['--import', COUNT_REQUESTS],
    env: { COUNT_FILE: countFile },
  });
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
  const visitsBeside = writeScript(folder, 'visits-beside', { ...BROWSER_VISIT, pauseMs: PAUSE_MS });
  const beside = await measureToggled({
    address: service.address,
    script: requests,
    visits: { script: visitsBeside, connections: VISITOR_CONNECTIONS },
    countFile,
    groups: GROUPS,
  });
  const { middle: ratio, low, high } = beside.ratio;
  console.log(
    `mixed load alone: ${Math.round(beside.alone)} requests/s; beside ${Math.round(beside.visits)} visitors/s: ` +
      `${ratio.toFixed(3)} of it (${low.toFixed(3)} to ${high.toFixed(3)}), at least 0.95 is wanted`,
  );
  await bare.stop();
  await service.stop();
}

await runAndUndo(run);
