import type { MetricValues } from '../../http/metrics.ts';

/** What a worker tells the process that started it. */
export type FromWorker =
  | { kind: 'listening'; address: string }
  /** It could not start, for this reason. */
  | { kind: 'failed'; reason: string }
  /** Somebody asked it for the metrics of all workers. */
  | { kind: 'gather'; id: number }
  | { kind: 'metrics'; id: number; metrics: MetricValues };

/** What a worker is told. */
export type ToWorker =
  | { kind: 'stop'; signal: string }
  | { kind: 'report'; id: number }
  | { kind: 'gathered'; id: number; text: string };

/** The environment variable that tells a worker which of them it is: 1, 2, 3, ... Its successor has the same number. */
export const WORKER_NUMBER = 'GUILDBOOK_WORKER';
