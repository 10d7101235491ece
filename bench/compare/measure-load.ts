import type { Loads } from '../support/loads.ts';
import { runQuietRounds } from '../support/quiet.ts';
import { startBareServer } from '../support/servers.ts';
import { type Load, runWrk, writeScript } from '../support/wrk.ts';
import type { Tree } from './tree.ts';

/** One load sent to one tree once. The times are processor time for one request. */
export interface Round {
  requestsPerSecond: number;
  serviceMicroseconds: number;
  /** Of the database server. */
  databaseMicroseconds: number | undefined;
}

/** The rounds of a tree, or of the bare server. */
export interface Measured {
  name: string;
  rounds: Round[];
}

export interface LoadResult {
  trees: Measured[];
  /** A server that only sends the first tree's answers, when it was asked for. */
  bare: Measured | undefined;
  stolenPercent: number;
}

export interface MeasureOptions {
  home: string;
  rounds: number;
  seconds: number;
  withBare: boolean;
  /** No other load was sent to these trees before. */
  isFirst: boolean;
}

/** Until its records are in memory. The first load of a service takes longer, since its code is not compiled yet either. */
const WARM_UP_SECONDS = { first: 6, later: 2 };
/** Bounds the time of a run on a host that is never quiet. */
const ROUNDS_MAX_FACTOR = 1.2;
const BARE = 'bare';

type Candidate = Pick<Tree, 'name' | 'service' | 'databaseCpuMs'> & { load: Load; script: string };

/** Measures a load on all trees in turns. Throws when one of them does not answer it as the load expects. */
export async function measureLoad(
  name: keyof Loads,
  trees: readonly Tree[],
  { home, rounds: wanted, seconds, withBare, isFirst }: MeasureOptions,
): Promise<LoadResult> {
  const [first] = trees;
  if (first === undefined) {
    throw new Error('there is no tree to measure');
  }
  const bare = withBare ? await startBareServer(first.loads[name], first.service.address) : undefined;
  const bareTree = bare && { ...first, name: BARE, service: bare, databaseCpuMs: undefined };
  const candidates = [...(bareTree ? [bareTree] : []), ...trees].map((tree, index): Candidate => {
    const load: Load = tree.loads[name];
    return { ...tree, load, script: writeScript(home, `${name}-${index}`, load) };
  });

  async function measureAll(round: number, roundSeconds: number): Promise<Map<string, Round>> {
    const found = new Map<string, Round>();
    // There and back, so that none always comes after the same one.
    for (const candidate of round % 2 === 0 ? candidates : candidates.toReversed()) {
      found.set(candidate.name, await measure(candidate, roundSeconds));
    }
    return found;
  }

  try {
    await measureAll(1, isFirst ? WARM_UP_SECONDS.first : WARM_UP_SECONDS.later);
    const { rounds, stolenPercent } = await runQuietRounds(wanted, (round) => measureAll(round, seconds), {
      roundsMax: Math.ceil(ROUNDS_MAX_FACTOR * wanted),
    });
    const roundsOf = (tree: string): Measured => ({
      name: tree,
      rounds: rounds.flatMap((round) => round.get(tree) ?? []),
    });
    return {
      trees: trees.map((tree) => roundsOf(tree.name)),
      bare: bareTree && roundsOf(BARE),
      stolenPercent,
    };
  } finally {
    await bare?.stop();
  }
}

async function measure(candidate: Candidate, seconds: number): Promise<Round> {
  const { name, script, load, service, databaseCpuMs } = candidate;
  const [startMs, databaseStartMs] = [service.cpuMs(), databaseCpuMs?.()];
  const { requests, requestsPerSecond, failures, failed } = await runWrk(script, service.address, {
    seconds,
    connections: load.connections,
  });
  const [endMs, databaseEndMs] = [service.cpuMs(), databaseCpuMs?.()];
  if (failures > 0 && load.isRefused !== true) {
    throw new Error(`${failures} of ${requests} requests to ${name} failed: ${failed}`);
  }
  const forOne = (milliseconds: number) => (milliseconds * 1_000) / requests;
  return {
    requestsPerSecond,
    serviceMicroseconds: forOne(endMs - startMs),
    databaseMicroseconds:
      databaseStartMs === undefined || databaseEndMs === undefined
        ? undefined
        : forOne(databaseEndMs - databaseStartMs),
  };
}
