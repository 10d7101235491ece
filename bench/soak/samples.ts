import { median } from '../support/measure.ts';

/** What was seen at one moment of the run. */
export interface Sample {
  minute: number;
  memoryMegabytes: number;
  walMegabytes: number;
  openFiles: number;
  /** Of the requests since the sample before. */
  p50Ms: number;
  p99Ms: number;
}

export interface Series {
  title: string;
  unit: string;
  pick: (sample: Sample) => number;
  /** What it must stay below throughout. */
  atMost?: number;
  /** How much higher the last third may be than the first, as a factor and beyond it. */
  growth: { factor: number; beside: number };
}

export const SERIES: readonly Series[] = [
  {
    title: 'memory',
    unit: 'MB',
    pick: ({ memoryMegabytes }) => memoryMegabytes,
    atMost: 160,
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
    // The machine's own moods are in it.
    growth: { factor: 1.5, beside: 5 },
  },
];

export interface Verdict {
  series: Series;
  first: number;
  last: number;
  highest: number;
  isFlat: boolean;
  isWithin: boolean;
}

/** Compares the first third of a run with the last one. */
export function judge(samples: readonly Sample[]): Verdict[] {
  const third = Math.floor(samples.length / 3);
  return SERIES.map((series) => {
    const values = samples.map(series.pick);
    const first = median(values.slice(0, third));
    const last = median(values.slice(-third));
    const highest = Math.max(...values);
    return {
      series,
      first,
      last,
      highest,
      isFlat: last <= first * series.growth.factor + series.growth.beside,
      isWithin: series.atMost === undefined || highest <= series.atMost,
    };
  });
}
