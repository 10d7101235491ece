import type { MetricValues } from '../../http/metrics.ts';

/** Messages of a worker to its supervisor. */
export type FromWorker =
  | { kind: 'listening'; address: string }
  /** The worker could not start. */
  | { kind: 'failed'; reason: string }
  /** The worker was scraped and needs the metrics of all workers. */
  | { kind: 'gather'; id: number }
  | { kind: 'metrics'; id: number; metrics: MetricValues };

/** Messages of the supervisor to a worker. */
export type ToWorker =
  | { kind: 'stop'; signal: string }
  | { kind: 'report'; id: number }
  | { kind: 'gathered'; id: number; text: string };

/** The environment variable with a worker's number: 1, 2, 3, ... A replacement gets the same number. */
export const WORKER_NUMBER = 'GUILDBOOK_WORKER';
