import { setTimeout as wait } from 'node:timers/promises';
import type { CountedTime } from './count-requests.ts';
import { readCounts } from './counted.ts';
import { chooseOrder, GROUP_SIZE } from './group.ts';
import { type Estimate, estimateMedian } from './measure.ts';
import { runWrk } from './wrk.ts';

const WINDOW_MS = 1_000;
/** A window begins this long after a change, so that earlier visits are answered by then. */
const SETTLE_MS = 150;
const WARM_UP_MS = 4_000;

export interface ToggledOptions {
  address: string;
  /** The load that is measured, as a script of wrk. */
  script: string;
  /** The visits beside it. */
  visits: { script: string; connections: number };
  /** The file that the service writes its counts to. */
  countFile: string;
  groups: number;
}

export interface ToggledResult {
  /** The rate of the load beside the visits divided by that without them: the median of the groups. */
  ratio: Estimate;
  /** The same of the requests in a second of processor time of the main thread, without the time that the senders take from it. */
  cpuRatio: Estimate;
  /** Requests and visits in a second. */
  alone: number;
  visits: number;
}

interface Window {
  isOn: boolean;
  fromMs: number;
  toMs: number;
}

/**
 * Measures a load while visits beside it begin and pause every second. The two senders run from beginning to end: starting one for each
 * slice takes longer than a slice.
 */
export async function measureToggled(options: ToggledOptions): Promise<ToggledResult> {
  const { address, script, visits, countFile, groups } = options;
  const windowCount = groups * GROUP_SIZE;
  const seconds = Math.ceil((WARM_UP_MS + windowCount * (WINDOW_MS + SETTLE_MS)) / 1_000) + 2;
  let signalVisits: (signal: NodeJS.Signals) => void = () => {};
  const senders = Promise.all([
    runWrk(script, address, { seconds }),
    runWrk(visits.script, address, {
      seconds,
      connections: visits.connections,
      onStart: (child) => {
        signalVisits = (signal) => child.kill(signal);
      },
    }),
  ]);
  await wait(WARM_UP_MS);
  const found: Window[][] = [];
  for (let group = 0; group < groups; group += 1) {
    const windows: Window[] = [];
    for (const isOn of chooseOrder()) {
      signalVisits(isOn ? 'SIGCONT' : 'SIGSTOP');
      await wait(SETTLE_MS);
      const fromMs = Date.now();
      await wait(WINDOW_MS);
      windows.push({ isOn, fromMs, toMs: Date.now() });
    }
    found.push(windows);
  }
  signalVisits('SIGCONT');
  const results = await senders;
  const failed = results.find(({ failures }) => failures > 0);
  if (failed !== undefined) {
    throw new Error(`${failed.failures} requests failed: ${failed.failed}`);
  }
  const counts = readCounts(countFile);
  const wallMs = ({ fromMs, toMs }: CountedTime) => toMs - fromMs;
  const rate = (
    windows: readonly Window[],
    isOn: boolean,
    { name, per }: { name: 'visits' | 'others'; per: (one: CountedTime) => number },
  ) => {
    const within = windows
      .filter((window) => window.isOn === isOn)
      .flatMap(({ fromMs, toMs }) => counts.filter((one) => one.fromMs >= fromMs && one.toMs <= toMs));
    const sum = (of: (one: CountedTime) => number) => within.reduce((before, one) => before + of(one), 0);
    return (sum((one) => one[name]) * 1_000) / sum(per);
  };
  const ratioOf = (per: (one: CountedTime) => number) => {
    const of = { name: 'others', per } as const;
    return estimateMedian(found.map((windows) => rate(windows, true, of) / rate(windows, false, of)));
  };
  return {
    ratio: ratioOf(wallMs),
    cpuRatio: ratioOf(({ cpuMs }) => cpuMs),
    alone: rate(found.flat(), false, { name: 'others', per: wallMs }),
    visits: rate(found.flat(), true, { name: 'visits', per: wallMs }),
  };
}
