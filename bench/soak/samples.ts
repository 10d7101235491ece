import { median } from '../support/measure.ts';
import { STOLEN_PERCENT_MAX } from '../support/quiet.ts';

/** The measurements of one moment of the run. */
export interface Sample {
  minute: number;
  memoryMegabytes: number;
  walMegabytes: number;
  openFiles: number;
  /** Of the requests since the sample before. */
  p50Ms: number;
  p99Ms: number;
  /** Of the processor time, what the host of a virtual machine gave to others meanwhile. */
  stolenPercent: number;
}

export interface Series {
  title: string;
  unit: string;
  pick: (sample: Sample) => number;
  /** The bound for the whole run. */
  atMost?: number;
  /** The bound for the end of the first part of the run, with only the load. */
  atMostAlone?: number;
  /** The last third may be `factor` times the first plus `beside`. Absent for figures that are not the service's. */
  growth?: { factor: number; beside: number };
  /** Compared only where the host left the processor to this machine. */
  isQuietOnly?: boolean;
}

export const SERIES: readonly Series[] = [
  {
    title: 'memory',
    unit: 'MB',
    pick: ({ memoryMegabytes }) => memoryMegabytes,
    // Pages of the dashboard and exports start threads, which stay.
    atMostAlone: 160,
    growth: { factor: 1.1, beside: 0 },
  },
  {
    title: 'write-ahead log',
    unit: 'MB',
    pick: ({ walMegabytes }) => walMegabytes,
    atMost: 128,
    growth: { factor: 1.2, beside: 4 },
  },
  { title: 'open files', unit: '', pick: ({ openFiles }) => openFiles, growth: { factor: 1, beside: 8 } },
  {
    title: 'p99 of the load',
    unit: 'ms',
    pick: ({ p99Ms }) => p99Ms,
    growth: { factor: 1.5, beside: 5 },
    isQuietOnly: true,
  },
  {
    title: 'taken by the host',
    unit: '%',
    pick: ({ stolenPercent }) => stolenPercent,
  },
];

export interface Verdict {
  series: Series;
  /** The value of the last third of the part with only the load; a short run has none. */
  alone: number | undefined;
  /** Of the first and of the last third of what follows; undefined where nothing could be compared. */
  first: number | undefined;
  last: number | undefined;
  highest: number;
  isFlat: boolean;
  isWithin: boolean;
}

/** Compares the first third with the last one, once everything beside the load has begun. */
export function judge(samples: readonly Sample[], { aloneMinutes }: { aloneMinutes: number }): Verdict[] {
  const alone = samples.filter(({ minute }) => minute <= aloneMinutes);
  const rest = samples.slice(alone.length);
  return SERIES.map((series) => {
    const isCompared = (sample: Sample) =>
      series.isQuietOnly !== true || sample.stolenPercent <= STOLEN_PERCENT_MAX;
    const middle = (part: readonly Sample[]) => {
      const compared = part.filter(isCompared);
      return compared.length === 0 ? undefined : median(compared.map(series.pick));
    };
    const verdict = {
      series,
      alone: middle(thirdOf(alone, 'last')),
      first: middle(thirdOf(rest, 'first')),
      last: middle(thirdOf(rest, 'last')),
      highest: Math.max(...samples.map(series.pick)),
    };
    const { atMost = Number.POSITIVE_INFINITY, atMostAlone = Number.POSITIVE_INFINITY, growth } = series;
    const { first = Number.NaN, last = Number.NaN } = verdict;
    return {
      ...verdict,
      // Without samples to compare the values are NaN, and the series is not flat.
      isFlat: growth === undefined || last <= first * growth.factor + growth.beside,
      isWithin: verdict.highest <= atMost && (verdict.alone ?? 0) <= atMostAlone,
    };
  });
}

function thirdOf(samples: readonly Sample[], which: 'first' | 'last'): readonly Sample[] {
  const third = Math.max(1, Math.floor(samples.length / 3));
  return which === 'first' ? samples.slice(0, third) : samples.slice(-third);
}
