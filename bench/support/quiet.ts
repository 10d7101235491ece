import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ticksOf } from './processes.ts';

/** The largest share of the processor time, in percent, that others may take during a round that counts as quiet. */
export const STOLEN_PERCENT_MAX = 5;
/** A patient watch lets a round begin when others took at most this share for a moment. */
const BEGIN_PERCENT_MAX = 10;
const LOOK_MS = 1_000;

/** For a line of output: nothing while the host was quiet. */
export function noteOfHost(stolenPercent: number): string {
  return stolenPercent > STOLEN_PERCENT_MAX ? `; the host took ${stolenPercent.toFixed(0)} %` : '';
}

/** Returns the share of the processor time, in percent, that others took since the last call. */
export type Meter = () => number;

/** Others are the virtual machines beside this one, to which the host gave the processor. Linux only. */
export function createStolenMeter(): Meter {
  return createMeter(() => {
    const { all, stolen } = readTicks();
    return { all, others: stolen };
  });
}

/** Others are those virtual machines and all programs that this process did not start. Linux only. */
export function createOthersMeter(): Meter {
  return createMeter(() => {
    const { all, stolen, used } = readTicks();
    return { all, others: stolen + used - ticksOf(process) };
  });
}

function createMeter(read: () => { all: number; others: number }): Meter {
  let before = read();
  return () => {
    const now = read();
    const all = now.all - before.all;
    const percent = all > 0 ? Math.max(0, (100 * (now.others - before.others)) / all) : 0;
    before = now;
    return percent;
  };
}

/** Decides which rounds are quiet. */
export interface QuietWatch {
  meter: Meter;
  /** Returns when the next round may begin. */
  wait: () => Promise<void>;
}

/**
 * Counts other programs as well, and waits before a round until they leave the processors alone. It waits for `patienceMs` at most,
 * all rounds together.
 */
export function createPatientWatch(patienceMs: number): QuietWatch {
  let leftMs = patienceMs;
  return {
    meter: createOthersMeter(),
    async wait() {
      const meter = createOthersMeter();
      for (let isQuiet = false; !isQuiet && leftMs > 0; leftMs -= LOOK_MS) {
        await sleep(LOOK_MS);
        isQuiet = meter() <= BEGIN_PERCENT_MAX;
      }
    },
  };
}

/** All processors together since the machine was started. */
function readTicks(): { all: number; stolen: number; used: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user nice system idle iowait irq softirq steal; the time of guests follows and is part of the first two.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return { all: sum(ticks), stolen: ticks[7] ?? 0, used: sum(ticks.slice(0, 3)) };
}

export interface QuietRounds<Result> {
  rounds: Result[];
  /** The share that others took in the worst of these rounds. */
  stolenPercent: number;
}

/**
 * Runs rounds until the wanted number of them was quiet. It gives up after `roundsMax`, by default three times that number, and then
 * returns the quietest ones.
 */
export async function runQuietRounds<Result>(
  wanted: number,
  run: (round: number) => Promise<Result>,
  { watch, roundsMax = 3 * wanted }: { watch?: QuietWatch | undefined; roundsMax?: number } = {},
): Promise<QuietRounds<Result>> {
  const { meter, wait } = watch ?? { meter: createStolenMeter(), wait: async () => {} };
  const made: { result: Result; stolen: number }[] = [];
  const quiet = () => made.filter(({ stolen }) => stolen <= STOLEN_PERCENT_MAX);
  while (quiet().length < wanted && made.length < roundsMax) {
    await wait();
    meter();
    const result = await run(made.length);
    made.push({ result, stolen: meter() });
  }
  const quietest = made.toSorted((one, other) => one.stolen - other.stolen).slice(0, wanted);
  return {
    rounds: made.filter((one) => quietest.includes(one)).map(({ result }) => result),
    stolenPercent: quietest.at(-1)?.stolen ?? 0,
  };
}
