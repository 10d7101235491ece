import { type QuietWatch, runQuietRounds } from './quiet.ts';
import type { RunningServer } from './servers.ts';
import { startBareServer } from './servers.ts';
import { type Load, runWrk, writeScript } from './wrk.ts';

/** How long and how often: rounds alternate between the candidates, so that a change in the machine's load affects both. */
export interface Pace {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

export interface Candidate {
  name: string;
  load: Load;
  server: RunningServer;
}

export interface Comparison {
  title: string;
  /** The one measured, and the one it is measured against, in requests per second: medians. */
  measured: number;
  limit: number;
  ratio: number;
  /** The lowest and the highest ratio of a round. */
  spread: { lowest: number; highest: number };
  reach: number | undefined;
  p99Ms: number;
  /** Of the one it is measured against. */
  limitP99Ms: number;
  memoryBytes: number;
  /** Processor time for one request, of the one measured and of its limit: less moved by a busy machine than rates are. */
  cpuMicroseconds: { measured: number; limit: number };
  /** The share of the processor time that others took in the worst of the rounds that were used. */
  stolenPercent: number;
  /** Requests that the one measured answered in all, warm-up and discarded rounds included. */
  answered: number;
}

export interface CompareOptions {
  folder: string;
  pace: Pace;
  reach?: number | undefined;
  /** Decides which rounds are quiet; without it the host's share does. */
  watch?: QuietWatch;
}

interface Round {
  requests: number;
  requestsPerSecond: number;
  p99Ms: number;
  cpuMicroseconds: number;
}

/** Measures one candidate against another: A B A B ..., warm-up discarded. A refused request fails the whole job. */
export async function compare(
  title: string,
  [measured, limit]: [Candidate, Candidate],
  options: CompareOptions,
): Promise<Comparison> {
  const { folder, pace, reach, watch } = options;
  const runLimit = createRunner(folder, limit);
  const runMeasured = createRunner(folder, measured);
  let answered = 0;
  const runRound = async (seconds: number) => {
    const round = { limit: await runLimit(seconds), measured: await runMeasured(seconds) };
    answered += round.measured.requests;
    return round;
  };
  await runRound(pace.warmUpSeconds);
  const { rounds, stolenPercent } = await runQuietRounds(pace.rounds, () => runRound(pace.seconds), {
    watch,
  });
  const middle = (which: 'limit' | 'measured', field: keyof Round) =>
    median(rounds.map((round) => round[which][field]));
  const ratios = rounds.map((round) => round.measured.requestsPerSecond / round.limit.requestsPerSecond);
  return {
    title,
    measured: middle('measured', 'requestsPerSecond'),
    limit: middle('limit', 'requestsPerSecond'),
    ratio: median(ratios),
    spread: { lowest: Math.min(...ratios), highest: Math.max(...ratios) },
    reach,
    p99Ms: middle('measured', 'p99Ms'),
    limitP99Ms: middle('limit', 'p99Ms'),
    cpuMicroseconds: {
      measured: middle('measured', 'cpuMicroseconds'),
      limit: middle('limit', 'cpuMicroseconds'),
    },
    memoryBytes: measured.server.memory().nowBytes,
    stolenPercent,
    answered,
  };
}

function createRunner(folder: string, { name, load, server }: Candidate) {
  const script = writeScript(folder, name, load);
  return async (seconds: number): Promise<Round> => {
    const startMs = server.cpuMs();
    const { requests, failures, failed, requestsPerSecond, p99Ms } = await runWrk(script, server.address, {
      seconds,
      connections: load.connections,
    });
    if (failures > 0 && load.isRefused !== true) {
      throw new Error(`${failures} of ${requests} requests to ${name} failed: ${failed}`);
    }
    return {
      requests,
      requestsPerSecond,
      p99Ms,
      cpuMicroseconds: ((server.cpuMs() - startMs) * 1_000) / requests,
    };
  };
}

/** Measures a load on the service against a bare server that answers the same bytes. */
export async function compareWithBare(
  title: string,
  load: Load,
  service: RunningServer,
  options: CompareOptions & { name?: string },
): Promise<Comparison> {
  const bare = await startBareServer(load, service.address);
  try {
    const candidates: [Candidate, Candidate] = [
      { name: options.name ?? 'guildbook', load, server: service },
      { name: 'bare', load, server: bare },
    ];
    return await compare(title, candidates, options);
  } finally {
    await bare.stop();
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1] ?? 0;
  return (lower + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Samples from which an interval is taken. */
const SAMPLES = 1_000;

/** The median of some values, and the interval in which it lies with 95 %. */
export interface Estimate {
  middle: number;
  low: number;
  high: number;
}

/** The interval is that of the medians of samples of the values, drawn with replacement. */
export function estimateMedian(values: readonly number[]): Estimate {
  return estimateMedianOfRuns(values.map((value) => [value]));
}

/** The same of the values of several runs. A sample draws whole runs, because the values of a run have something in common. */
export function estimateMedianOfRuns(runs: readonly (readonly number[])[]): Estimate {
  const draw = () => runs[Math.floor(Math.random() * runs.length)] ?? [];
  const sample = () => median(runs.flatMap(draw));
  const medians = Array.from({ length: SAMPLES }, sample).sort((one, other) => one - other);
  return {
    middle: median(runs.flat()),
    low: medians[Math.floor(SAMPLES * 0.025)] ?? Number.NaN,
    high: medians[Math.floor(SAMPLES * 0.975)] ?? Number.NaN,
  };
}
