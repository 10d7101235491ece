import { readFileSync } from 'node:fs';

/** Of a virtual machine's processor time, the host may give so many percent to others while something is measured. */
export const STOLEN_PERCENT_MAX = 5;

/** For a line of output: nothing while the host was quiet. */
export function noteOfHost(stolenPercent: number): string {
  return stolenPercent > STOLEN_PERCENT_MAX ? `; the host took ${stolenPercent.toFixed(0)} %` : '';
}

/** Tells how many percent of the processor time the host gave to others since it was made or last asked. Linux only. */
export function createStolenMeter(): () => number {
  let before = readTicks();
  return () => {
    const now = readTicks();
    const all = now.all - before.all;
    const percent = all > 0 ? (100 * (now.stolen - before.stolen)) / all : 0;
    before = now;
    return percent;
  };
}

/** All processors together since the machine was started. */
function readTicks(): { all: number; stolen: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user nice system idle iowait irq softirq steal; what guests took stands behind and is counted in the first two.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
}

export interface QuietRounds<Result> {
  rounds: Result[];
  /** What the host took in the round in which it took most. */
  stolenPercent: number;
}

/**
 * Makes so many rounds in which the host left the processor to this machine. It gives up after three times as many, and then
 * the quietest have to do.
 */
export async function runQuietRounds<Result>(
  wanted: number,
  run: (round: number) => Promise<Result>,
): Promise<QuietRounds<Result>> {
  const made: { result: Result; stolen: number }[] = [];
  const quiet = () => made.filter(({ stolen }) => stolen <= STOLEN_PERCENT_MAX);
  const stolenSince = createStolenMeter();
  while (quiet().length < wanted && made.length < 3 * wanted) {
    stolenSince();
    const result = await run(made.length);
    made.push({ result, stolen: stolenSince() });
  }
  const quietest = made.toSorted((one, other) => one.stolen - other.stolen).slice(0, wanted);
  return {
    rounds: made.filter((one) => quietest.includes(one)).map(({ result }) => result),
    stolenPercent: quietest.at(-1)?.stolen ?? 0,
  };
}
