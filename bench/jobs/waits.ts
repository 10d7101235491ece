import { median } from '../support/measure.ts';
import { runQuietRounds } from '../support/quiet.ts';
import { type RunningServer, startBareServer } from '../support/servers.ts';
import type { Bench, Job } from '../support/stage.ts';
import { type Latencies, runSteadyLoad } from '../support/steady-load.ts';
import { type Load, runWrk, writeScript } from '../support/wrk.ts';
import type { Served } from './served.ts';

const SECONDS = 4;
const WARM_UP_SECONDS = 1;
const ROUNDS = 3;
const PEAK_SECONDS = 3;
const FIXED_PER_SECOND = 4_000;
const OTHERS_PER_SECOND = 500;
const COUNT_WAIT_MS = 30_000;

/** Waits under a steady load: at a fixed rate, at half of the peak, and while somebody counts through a whole large account. */
export function waitJobs(bench: Bench): Job<Served>[] {
  return [
    mixedJob(bench, {
      name: 'waitsFixed',
      what: `the mixed load at ${FIXED_PER_SECOND.toLocaleString('en')} requests/s`,
      atMostMs: 8,
      chooseRate: () => Promise.resolve(FIXED_PER_SECOND),
    }),
    mixedJob(bench, {
      name: 'waits',
      what: 'the mixed load at half of its peak',
      atMostMs: 20,
      async chooseRate({ service, loads }) {
        const known = bench.findings.comparisons.find(({ title }) => title === 'mixed load')?.measured;
        return Math.round((known ?? (await measurePeak(bench.folder, loads.mixed, service))) / 2);
      },
    }),
    countsJob(bench),
  ];
}

interface MixedPlan {
  name: string;
  what: string;
  atMostMs: number;
  chooseRate(served: Served): Promise<number>;
}

function mixedJob({ findings }: Bench, { name, what, atMostMs, chooseRate }: MixedPlan): Job<Served> {
  return {
    name,
    title: `waits in ${what}`,
    aboutSeconds: ROUNDS * 2 * SECONDS,
    needsLargeLedger: true,
    async run(served) {
      const { service, loads } = served;
      const perSecond = await chooseRate(served);
      const bare = await startBareServer(loads.mixed, service.address);
      const { rounds, stolenPercent } = await runQuietRounds(ROUNDS, async () => ({
        bare: (await sendSteadily(loads.mixed, bare, perSecond)).p99Ms,
        service: (await sendSteadily(loads.mixed, service, perSecond)).p99Ms,
      }));
      await bare.stop();
      findings.addFigure({
        title: `p99 of ${what}`,
        value: median(rounds.map((round) => round.service)),
        unit: 'ms',
        atMost: atMostMs,
        stolenPercent,
      });
      const title = `the same on the bare server, ${perSecond.toLocaleString('en')} requests/s`;
      findings.addFigure({ title, value: median(rounds.map((round) => round.bare)), unit: 'ms' });
    },
  };
}

async function measurePeak(folder: string, load: Load, service: RunningServer): Promise<number> {
  const script = writeScript(folder, 'peak', load);
  return (await runWrk(script, service.address, { seconds: PEAK_SECONDS })).requestsPerSecond;
}

function countsJob({ findings }: Bench): Job<Served> {
  return {
    name: 'counts',
    title: 'waits of others beside filtered counts over 1,000,000 rows',
    aboutSeconds: 2 * SECONDS,
    needsLargeLedger: true,
    async run({ service, loads }) {
      const counting = keepCounting(loads.listMillion, service);
      const { p99Ms } = await sendSteadily(loads.discharge, service, OTHERS_PER_SECOND).finally(
        counting.stop,
      );
      const title = `p99 of others beside ${await counting.done} filtered counts over 1,000,000 rows`;
      findings.addFigure({ title, value: p99Ms, unit: 'ms', atMost: 25 });
      const value = await waitsAtBare(loads.discharge, service, OTHERS_PER_SECOND);
      findings.addFigure({ title: 'the same others on the bare server', value, unit: 'ms' });
    },
  };
}

/** The p99 at the bare server: the part of every wait that is due to the machine and the sender. */
async function waitsAtBare(load: Load, service: RunningServer, perSecond: number): Promise<number> {
  const bare = await startBareServer(load, service.address);
  const { p99Ms } = await sendSteadily(load, bare, perSecond);
  await bare.stop();
  return p99Ms;
}

/** A failed request would be a short wait, and make the figure look better than it is. */
async function sendSteadily(load: Load, { address }: RunningServer, perSecond: number): Promise<Latencies> {
  await runSteadyLoad(load, address, { perSecond, seconds: WARM_UP_SECONDS });
  const waits = await runSteadyLoad(load, address, { perSecond, seconds: SECONDS });
  if (waits.failures > 0) {
    throw new Error(`${waits.failures} of ${waits.requests} requests failed`);
  }
  return waits;
}

/** Requests filtered pages one after the other. For each, the service has to count all rows of the account. */
function keepCounting(load: Load, { address }: RunningServer): { stop: () => void; done: Promise<number> } {
  let isOver = false;
  const count = async () => {
    let counts = 0;
    for (; !isOver; counts += 1) {
      const { path, key = '' } = load.request(counts);
      // Another page each time, since one that was read is kept.
      const answer = await fetch(`${address}${path}?from=source-3&page=${1 + counts}`, {
        headers: { 'x-api-key': key },
        signal: AbortSignal.timeout(COUNT_WAIT_MS),
      });
      await answer.arrayBuffer();
      if (!answer.ok) {
        throw new Error(`a filtered count was answered with ${answer.status}`);
      }
    }
    return counts;
  };
  const done = count();
  // Looked at when the others are done; until then a failure must not end the process.
  done.catch(() => {});
  return {
    stop: () => {
      isOver = true;
    },
    done,
  };
}
