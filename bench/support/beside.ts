import { setTimeout as wait } from 'node:timers/promises';
import { median } from './measure.ts';

/** Short, so that a change in the load of the machine affects both slices of a pair. */
const SLICE_SECONDS = 1;
/** The other load opens its connections in this time, and the service finishes the slice before. */
const LEAD_SECONDS = 0.3;
/** The other load lasts longer than a slice, because the program that measures takes time to start. */
const TAIL_SECONDS = 1;

export interface BesideOptions {
  pairs: number;
  /** Measures the requests per second of a load for some seconds. */
  rate: (seconds: number) => Promise<number>;
  /** Sends the other load for some seconds. Rejects when a request fails. */
  sendOther: (seconds: number) => Promise<unknown>;
}

export interface BesideResult {
  /** Requests per second without the other load. */
  alone: number;
  /** The median of the pairs: the rate beside the other load by the rate without it. */
  ratio: number;
  /** The middle half of the pairs. */
  quartiles: { lower: number; upper: number };
}

/**
 * Measures a load beside another one and alone, in pairs of short slices. Every second pair begins with the slice alone, so that a service
 * that becomes slower as its ledger grows does not look as if the other load had slowed it down.
 */
export async function measureBeside({ pairs, rate, sendOther }: BesideOptions): Promise<BesideResult> {
  // In whole seconds, as the other load is sent.
  const roundSeconds = Math.ceil(LEAD_SECONDS + SLICE_SECONDS + TAIL_SECONDS);
  /** Both kinds of round last equally long: the service works on for a moment after a slice, which must not slow down the next one. */
  async function measureDuring(round: Promise<unknown>): Promise<number> {
    const measured = wait(LEAD_SECONDS * 1_000).then(() => rate(SLICE_SECONDS));
    const [found] = await Promise.all([measured, round]);
    return found;
  }
  const measureAlone = () => measureDuring(wait(roundSeconds * 1_000));
  const measureWithOther = () => measureDuring(sendOther(roundSeconds));

  await measureAlone();
  await measureWithOther();
  const measured: { alone: number; beside: number }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) {
      const beside = await measureWithOther();
      measured.push({ beside, alone: await measureAlone() });
    } else {
      const alone = await measureAlone();
      measured.push({ alone, beside: await measureWithOther() });
    }
  }
  const ratios = measured.map(({ alone, beside }) => beside / alone).sort((one, other) => one - other);
  const half = Math.ceil(ratios.length / 2);
  return {
    alone: median(measured.map(({ alone }) => alone)),
    ratio: median(ratios),
    quartiles: { lower: median(ratios.slice(0, half)), upper: median(ratios.slice(-half)) },
  };
}

/** One line about the result. */
export function describeBeside({ alone, ratio, quartiles }: BesideResult, other: string): string {
  const spread = `${quartiles.lower.toFixed(3)} to ${quartiles.upper.toFixed(3)}`;
  return `mixed load alone: ${Math.round(alone)} requests/s; beside ${other}: ${ratio.toFixed(3)} of it (half of the pairs: ${spread})`;
}
