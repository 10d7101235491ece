import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PROGRAMS, requirePrograms } from '../../scripts/requirements.ts';
import { describeMachine } from '../support/machine.ts';
import type { Pace } from '../support/measure.ts';
import { createFolder } from '../support/processes.ts';
import { createPatientWatch } from '../support/quiet.ts';
import { runAndUndo, undoAfter } from '../support/undo.ts';
import { blnk } from './blnk.ts';
import { express } from './express.ts';
import { formance } from './formance.ts';
import { guildbook } from './guildbook.ts';
import { measurePeer, type PeerResult } from './measure-peer.ts';
import type { Peer } from './peer.ts';
import { pocketbase } from './pocketbase.ts';
import { keepRun, rewriteReport } from './report.ts';
import { createSample } from './sample.ts';

// `npm run bench:peers` measures this service and others that somebody could run instead, one after the other, each against a
// bare `node:http` server that sends the same bytes. `--only express,pocketbase` measures these alone and prints the figures;
// a whole run also writes them. `--seconds` sets the length of a round and `--rounds` their number. On a machine with other
// work `--patience 30` waits before the rounds, for thirty minutes in all at most, until it is quiet. `--report` writes the table and
// the picture of the last whole run again.

const PEERS: readonly Peer[] = [guildbook, express, pocketbase, blnk, formance];
/** On the same disk as the store of the service, so that all wait for the same disk. */
const DATA = fileURLToPath(new URL('../data', import.meta.url));
const NUMBER_MAX = 60;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    patience: { type: 'string', default: '0' },
    report: { type: 'boolean' },
  },
});

function choosePeers(): readonly Peer[] {
  const names = options.only?.split(',');
  const unknown = names?.filter((name) => !PEERS.some((peer) => peer.name === name)) ?? [];
  if (unknown.length > 0) {
    const known = PEERS.map(({ name }) => name).join(', ');
    throw new Error(`--only has ${unknown.join(', ')}, which is not one of ${known}`);
  }
  return PEERS.filter(({ name }) => names?.includes(name) ?? true);
}

function readPace(): Pace {
  const seconds = readNumber('seconds');
  return { rounds: readNumber('rounds'), seconds, warmUpSeconds: seconds };
}

function readNumber(name: 'seconds' | 'rounds' | 'patience'): number {
  const number = Number(options[name]);
  const least = name === 'patience' ? 0 : 1;
  if (!Number.isInteger(number) || number < least || number > NUMBER_MAX) {
    throw new Error(
      `--${name} takes a whole number from ${least} to ${NUMBER_MAX}, and not ${options[name]}`,
    );
  }
  return number;
}

async function main(): Promise<void> {
  if (options.report) {
    rewriteReport();
    return;
  }
  const [peers, pace] = [choosePeers(), readPace()];
  requirePrograms('The benchmarks', [PROGRAMS.wrk, ...new Set(peers.flatMap(({ programs }) => programs))]);
  mkdirSync(DATA, { recursive: true });
  const watch = createPatientWatch(readNumber('patience') * 60_000);
  const [load = 0] = loadavg();
  const machine = describeMachine(new Map([['load average before the run', load.toFixed(1)]]));
  const sample = await createSample(createFolder());
  const results: PeerResult[] = [];
  for (const peer of peers) {
    results.push(await undoAfter(() => measurePeer(peer, { sample, pace, watch, data: DATA })));
  }
  if (options.only === undefined) {
    keepRun({ machine, pace, results });
  }
}

await runAndUndo(main);
