import { setTimeout as wait } from 'node:timers/promises';
import { readCounts } from './counted.ts';
import { chooseOrder, GROUP_SIZE } from './group.ts';
import type { RunningServer } from './servers.ts';
import { runWrk } from './wrk.ts';

const SLICE_MS = 1_000;
/** A thread that works once a second is compiled after some of them. */
const WARM_UP_SLICES = 8;

/** A service that is measured against another one. */
export interface Side {
  service: RunningServer;
  /** The file that it writes its counts to. */
  countFile: string;
}

/** A side and its load, as a script of wrk. */
export interface LoadedSide extends Side {
  script: string;
}

/** With the change that is measured, and without it. */
interface Sides<Kind extends Side = Side> {
  changed: Kind;
  plain: Kind;
}

export interface TurnsResult {
  /** The rate with the change divided by that without it, of each group. */
  ratios: number[];
  changed: Figures;
  plain: Figures;
}

interface Figures {
  requestsPerSecond: number;
  /** Processor time of a request, in all threads of the service: less moved by a busy machine than rates are. */
  cpuMicroseconds: number;
}

interface Slice {
  isChanged: boolean;
  fromMs: number;
  toMs: number;
}

/**
 * Measures two services under the same load, which take turns of a second: meanwhile the other service and its sender are stopped by a
 * signal. So everything that a service does in its threads, at once or later, is part of its own slices.
 */
export async function measureTurns(sides: Sides<LoadedSide>, groups: number): Promise<TurnsResult> {
  const both = [sides.changed, sides.plain];
  const seconds = Math.ceil(((2 * WARM_UP_SLICES + groups * GROUP_SIZE) * SLICE_MS) / 1_000) + 2;
  const signals = new Map<Side, (signal: NodeJS.Signals) => void>();
  const senders = both.map((side) =>
    runWrk(side.script, side.service.address, {
      seconds,
      onStart(child) {
        signals.set(side, (signal) => {
          child.kill(signal);
          side.service.signal(signal);
        });
      },
    }),
  );
  const pass = async (isChanged: boolean): Promise<Slice> => {
    const side = isChanged ? sides.changed : sides.plain;
    const other = isChanged ? sides.plain : sides.changed;
    signals.get(other)?.('SIGSTOP');
    signals.get(side)?.('SIGCONT');
    const fromMs = Date.now();
    await wait(SLICE_MS);
    return { isChanged, fromMs, toMs: Date.now() };
  };
  const measured: Slice[][] = [];
  const readCpuMs = () => new Map(both.map((side) => [side, side.service.cpuMs()]));
  let cpuBeforeMs = readCpuMs();
  let cpuAfterMs = cpuBeforeMs;
  try {
    // Never stopped for longer: statements of a database would time out.
    for (let slice = 0; slice < WARM_UP_SLICES; slice += 1) {
      await pass(true);
      await pass(false);
    }
    cpuBeforeMs = readCpuMs();
    for (let group = 0; group < groups; group += 1) {
      const slices: Slice[] = [];
      for (const isChanged of chooseOrder()) {
        slices.push(await pass(isChanged));
      }
      measured.push(slices);
    }
    cpuAfterMs = readCpuMs();
  } finally {
    for (const signal of signals.values()) {
      signal('SIGCONT');
    }
  }
  const results = await Promise.all(senders);
  const found = results.find(({ failures }) => failures > 0);
  if (found !== undefined) {
    throw new Error(`${found.failures} requests failed: ${found.failed}`);
  }
  const count = createCount(sides);
  const rate = (slices: readonly Slice[], isChanged: boolean) => {
    const { requests, durationMs } = count(slices, isChanged);
    return (requests * 1_000) / durationMs;
  };
  const figuresOf = (side: LoadedSide): Figures => {
    const isChanged = side === sides.changed;
    const cpuMs = (cpuAfterMs.get(side) ?? 0) - (cpuBeforeMs.get(side) ?? 0);
    return {
      requestsPerSecond: rate(measured.flat(), isChanged),
      cpuMicroseconds: (cpuMs * 1_000) / count(measured.flat(), isChanged).requests,
    };
  };
  return {
    ratios: measured.map((slices) => rate(slices, true) / rate(slices, false)),
    changed: figuresOf(sides.changed),
    plain: figuresOf(sides.plain),
  };
}

/** Counts that a service wrote after a slice began belong to it, up to its next slice: it writes nothing while it is stopped. */
function createCount({ changed, plain }: Sides) {
  const counts = { changed: readCounts(changed.countFile), plain: readCounts(plain.countFile) };
  return (slices: readonly Slice[], isChanged: boolean) => {
    const own = slices.filter((slice) => slice.isChanged === isChanged);
    const requests = counts[isChanged ? 'changed' : 'plain']
      .filter(({ toMs }) => own.some((slice) => toMs > slice.fromMs && toMs <= slice.toMs))
      .reduce((sum, { others, visits }) => sum + others + visits, 0);
    const durationMs = own.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    return { requests, durationMs };
  };
}
