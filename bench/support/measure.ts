import type { RunningServer } from './servers.ts';
import { startBareServer } from './servers.ts';
import { type Load, runWrk, writeScript } from './wrk.ts';

/** How long and how often: rounds alternate between the candidates, so that a change of the machine's mood hits both. */
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
  spread: [number, number];
  reach: number | undefined;
  p99Ms: number;
  memoryBytes: number;
  /** Processor time for one request, of the one measured and of its limit: less moved by a busy machine than rates are. */
  cpuMicroseconds: [number, number];
}

/** Measures one candidate against another: A B A B ..., warm-up discarded. A refused request fails the whole job. */
export async function compare(
  title: string,
  [measured, limit]: [Candidate, Candidate],
  options: { folder: string; pace: Pace; reach?: number | undefined },
): Promise<Comparison> {
  const { folder, pace, reach } = options;
  const run = async ({ name, load, server }: Candidate, seconds: number) => {
    const startMs = server.cpuMs();
    const result = await runWrk(writeScript(folder, name, load), server.address, seconds);
    const cpuMicroseconds = ((server.cpuMs() - startMs) * 1_000) / result.requests;
    if (result.failures > 0) {
      throw new Error(`${title}: ${result.failures} of ${result.requests} requests to ${name} failed`);
    }
    return { ...result, cpuMicroseconds };
  };
  await run(limit, pace.warmUpSeconds);
  await run(measured, pace.warmUpSeconds);
  const rounds: { limit: number; measured: number; ratio: number; p99Ms: number; cpu: [number, number] }[] =
    [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const one = await run(limit, pace.seconds);
    const other = await run(measured, pace.seconds);
    const ratio = other.requestsPerSecond / one.requestsPerSecond;
    rounds.push({
      limit: one.requestsPerSecond,
      measured: other.requestsPerSecond,
      ratio,
      p99Ms: other.p99Ms,
      cpu: [other.cpuMicroseconds, one.cpuMicroseconds],
    });
  }
  const ratios = rounds.map(({ ratio }) => ratio);
  return {
    title,
    measured: median(rounds.map((round) => round.measured)),
    limit: median(rounds.map((round) => round.limit)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    reach,
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    cpuMicroseconds: [median(rounds.map(({ cpu }) => cpu[0])), median(rounds.map(({ cpu }) => cpu[1]))],
    memoryBytes: measured.server.memory().nowBytes,
  };
}

/** Measures a load on the service against a bare server that answers the same bytes. */
export async function compareWithBare(
  title: string,
  load: Load,
  service: RunningServer,
  options: { folder: string; pace: Pace; reach?: number | undefined },
): Promise<Comparison> {
  const bare = await startBareServer(load, service.address);
  try {
    const candidates: [Candidate, Candidate] = [
      { name: 'guildbook', load, server: service },
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
