import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type TestContext, test } from 'vitest';
import { createPostgresServer } from '../postgres/server.ts';
import { createFolder } from '../support/folder.ts';
import { endNow, watch } from '../support/process.ts';
import type { BadNeighbour, Command, Tally } from './bad-neighbour.ts';
import { BAD_GUILD, createPlace, type Place } from './neighbour-place.ts';
import { noSamples, OPERATIONS, type Samples, sampleGuild } from './neighbour-samples.ts';

const CHILD = fileURLToPath(new URL('bad-neighbour.ts', import.meta.url));
const ROUNDS = 3;
/** Longer than the ten seconds that the service waits for a head. */
const ROUND_MS = 12_000;
const WARM_UP_MS = 3_000;

/** Beside a bad neighbour 99 % of a guild's operations take at most this many times as long as alone. */
const TIMES_MAX = 3;
/**
 * An operation that takes a few milliseconds may take this much longer instead. Load and service share the processors of one machine
 * here, and a process that has to wait for one gets it after a few turns of the scheduler, ten milliseconds each. The faults that this test is there
 * for took seconds.
 */
const MORE_MAX_MS = 50;

/**
 * When the service had to wait for a processor for a larger part of the time although its guild was alone, other programs keep the
 * machine busy. The figures then include their effect too, so a test that would fail is reported as skipped, with all figures.
 */
const WAITED_PART_MAX = 0.2;
/** With fewer answers in a round there was little harm, for want of a processor. A test that would pass is then reported as skipped. */
const ANSWERS_MIN = 1_000;

/** The bad neighbour's process. */
function startNeighbour(place: Place) {
  const { address, bad } = place;
  const order: BadNeighbour = {
    address,
    guildId: BAD_GUILD,
    key: bad.key,
    managerCookie: bad.manager.cookie,
    stranger: bad.stranger,
    webhookIds: bad.webhookIds,
  };
  const child: ChildProcess = watch(
    fork(CHILD, [JSON.stringify(order)], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  const tell = async (command: Command): Promise<Tally> => {
    const answered = once(child, 'message');
    child.send(command);
    const [tally] = await answered;
    return tally;
  };
  return {
    async start() {
      place.setHanging(true);
      await tell('start');
    },
    async stop() {
      place.setHanging(false);
      return tell('stop');
    },
    end: () => endNow(child),
  };
}

/** The bad neighbour's loads, all at once. In addition its webhooks hang and its names are not resolved. */
const HARMS = [
  'abandoned exports',
  'abandoned streams',
  'half heads',
  'lists',
  'look-ups',
  'posts',
  'preferences',
  'sessions',
  'silent names',
  'webhook tests',
];

function percentile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.POSITIVE_INFINITY;
}

function describeSamples(alone: Samples, beside: Samples): string {
  const lines = OPERATIONS.map((operation) => {
    const [one, other] = [alone[operation], beside[operation]].map((samples) =>
      [0.5, 0.99].map((part) => percentile(samples, part).toFixed(1)).join(' / '),
    );
    return `${operation.padEnd(10)} alone ${one}, beside ${other} ms (p50 / p99, ${beside[operation].length} samples)`;
  });
  return lines.join('\n');
}

/** How long the service's main thread ran, and how long it was ready to run and waited for a processor, in seconds. */
interface Processor {
  ran: number;
  waited: number;
}

/** Adds what was used of the processor during some work. Without it nobody knows whether the machine or the service was slow. */
async function accountFor({ pid }: Place, total: Processor, work: () => Promise<void>): Promise<void> {
  const read = () =>
    readFileSync(`/proc/${pid}/schedstat`, 'utf8')
      .split(' ')
      .map((text) => Number(text) / 1e9);
  const [ranBefore = 0, waitedBefore = 0] = read();
  await work();
  const [ran = 0, waited = 0] = read();
  total.ran += ran - ranBefore;
  total.waited += waited - waitedBefore;
}

const describeProcessor = ({ ran, waited }: Processor) =>
  `ran ${ran.toFixed(1)} s and waited ${waited.toFixed(1)} s for a processor`;

interface Measured {
  alone: Samples;
  beside: Samples;
  used: { alone: Processor; beside: Processor };
  /** Answers to the bad neighbour in the round that had the fewest. */
  answersMin: number;
}

async function measure(place: Place): Promise<Measured> {
  const neighbour = startNeighbour(place);
  const [alone, beside] = [noSamples(), noSamples()];
  const used = { alone: { ran: 0, waited: 0 }, beside: { ran: 0, waited: 0 } };
  let answersMin = Number.POSITIVE_INFINITY;
  await sampleGuild(place, WARM_UP_MS, noSamples());
  // In turns, because the machine may be busier at one time than at another.
  for (let round = 0; round < ROUNDS; round += 1) {
    await accountFor(place, used.alone, () => sampleGuild(place, ROUND_MS, alone));
    await neighbour.start();
    await accountFor(place, used.beside, () => sampleGuild(place, ROUND_MS, beside));
    const tally = await neighbour.stop();
    console.log(JSON.stringify(tally));
    expect(Object.keys(tally).toSorted()).toEqual(HARMS);
    answersMin = Math.min(answersMin, countAnswers(tally));
  }
  await neighbour.end();
  return { alone, beside, used, answersMin };
}

/** Answers with a status, whatever it was. */
function countAnswers(tally: Tally): number {
  const counts = Object.values(tally).flatMap((outcomes) => Object.entries(outcomes));
  return counts.reduce((sum, [outcome, count]) => sum + (/^\d+$/.test(outcome) ? count : 0), 0);
}

/** The operations that took too long, in words. */
function findHarmed({ alone, beside }: Measured): string[] {
  return OPERATIONS.flatMap((operation) => {
    const aloneMs = percentile(alone[operation], 0.99);
    const maxMs = Math.max(TIMES_MAX * aloneMs, aloneMs + MORE_MAX_MS);
    const besideMs = percentile(beside[operation], 0.99);
    return besideMs <= maxMs
      ? []
      : [`${operation}: ${besideMs.toFixed(1)} ms, at most ${maxMs.toFixed(1)} ms allowed`];
  });
}

async function expectUnharmed(databaseUrl: string, { skip }: TestContext): Promise<void> {
  const measured = await measure(await createPlace(databaseUrl));
  const { alone, beside, used, answersMin } = measured;
  const processor = `the service ${describeProcessor(used.alone)} alone, ${describeProcessor(used.beside)} beside`;
  console.log(`${databaseUrl.split(':')[0]}\n${describeSamples(alone, beside)}\n${processor}`);
  const harmed = findHarmed(measured);
  const isMachineBusy = used.alone.waited > (ROUNDS * ROUND_MS * WAITED_PART_MAX) / 1_000;
  if (isMachineBusy && (harmed.length > 0 || answersMin < ANSWERS_MIN)) {
    skip(`other programs had the processors: ${processor}; ${harmed.join('; ')}`);
  }
  expect(harmed).toEqual([]);
  expect(answersMin).toBeGreaterThanOrEqual(ANSWERS_MIN);
}

test('a guild that does everything at once leaves another its speed, on SQLite', async (context) => {
  await expectUnharmed(`sqlite:${createFolder()}/guildbook.db`, context);
});

test('a guild that does everything at once leaves another its speed, on PostgreSQL', async (context) => {
  const server = await createPostgresServer({});
  try {
    await expectUnharmed(server.url('postgres'), context);
  } finally {
    await server.remove();
  }
});
