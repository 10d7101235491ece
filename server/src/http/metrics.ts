import type * as Prometheus from 'prom-client';
import type { Clock } from '../domain/ports.ts';
import type { StoreFigures } from '../domain/store-figures.ts';
import {
  DELIVERY_OUTCOMES,
  type DeliveryOutcome,
  WEBHOOK_KINDS,
  type WebhookKind,
} from '../domain/webhooks/webhook.ts';
import { VERSION } from '../version.ts';
import { createHeldMetrics, type HeldMetrics } from './held-metrics.ts';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from './prometheus.ts';
import { createRequestMetrics, type MetricValues, type RecordAnswer } from './request-metrics.ts';
import { inTime } from './sampled.ts';
import { createStoreMetrics } from './store-metrics.ts';

export type { MetricValues } from './request-metrics.ts';

/** The service's metrics, in Prometheus' text format. Recording costs no look-up by label on a known route. */
export interface Metrics extends HeldMetrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** The same as data, to be merged with the metrics of other processes. */
  values(): Promise<MetricValues>;
  recordRequest(route: string, method: string, status: number, durationMs: number): void;
  /** The same for one route, found once instead of with each request. */
  recorderOf(route: string, method: string): RecordAnswer;
  recordBatch(size: number): void;
  recordCommit(durationMs: number): void;
  recordKeyLookup(result: 'hit' | 'miss'): void;
  recordRateLimited(bucket: string): void;
  recordSharedLimits(isReached: boolean): void;
  recordLocalLimit(): void;
  /** Records what happens on the connections of a PostgreSQL store. */
  readonly connectionEvents: {
    /** A statement waited for a connection of a pool. */
    onPoolWait(pool: string, durationMs: number): void;
    /** A statement or a post was sent to the database again. */
    onRepeat(reason: string): void;
    /** A read was answered by the replica, or by the primary because the replica was late or failed. */
    onReplicaRead(result: string): void;
  };
  recordWebhookAttempt(kind: WebhookKind, outcome: DeliveryOutcome): void;
  /** Reads the store's figures on each scrape from now on. */
  watchStore(store: StoreFigures, clock: Clock): void;
  /** Sets the function that returns the values of the gauge of unreadable secrets, by kind. It is called on each scrape. */
  watchUnreadableSecrets(count: () => Promise<Readonly<Record<string, number>>>): void;
}

/**
 * The metrics of several processes as one text. Each process keeps its own series under its own label: a sum would fall
 * when a process is replaced, and monitoring would show that as a burst.
 */
export function mergeMetrics(all: readonly MetricValues[]): Promise<string> {
  // Labels differ, so there is never more than one value to choose from.
  const kept = all.map((metrics) => metrics.map((one) => ({ ...one, aggregator: 'first' })));
  return AggregatorRegistry.aggregate(kept).metrics();
}

/** Gauges of the library that are named as if they were counters. Each is the sum of the series without the suffix. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** With a worker's name every series carries it as a label. */
export function createMetrics(worker?: string): Metrics {
  const registry = new Registry();
  if (worker !== undefined) {
    registry.setDefaultLabels({ worker });
  }
  // Among these is the event loop's lag.
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) {
    registry.removeSingleMetric(name);
  }
  const registers = [registry];
  new Gauge({
    name: 'guildbook_build_info',
    help: 'Always 1; its label is the version of the program.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
  const recorderOf = createRequestMetrics(registry);
  const batches = new Histogram({
    name: 'guildbook_commit_batch_size',
    help: 'Writes per commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000],
    registers,
  });
  const commits = new Histogram({
    name: 'guildbook_commit_duration_seconds',
    help: 'How long commits took: on SQLite the wait for the disk, on PostgreSQL the statement that posts.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  // Counted in plain numbers, because every request has a look-up.
  const pending = { hit: 0, miss: 0 };
  new Counter({
    name: 'guildbook_key_lookups_total',
    help: 'Key look-ups answered from memory (hit) or from the store (miss).',
    labelNames: ['result'],
    registers,
    collect() {
      for (const result of ['hit', 'miss'] as const) {
        this.inc({ result }, pending[result]);
        pending[result] = 0;
      }
    },
  });
  const limited = new Counter({
    name: 'guildbook_rate_limited_total',
    help: 'Requests refused by a rate limit, by bucket.',
    labelNames: ['bucket'],
    registers,
  });
  const shared = createSharedLimitMetrics(registers);

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
    recorderOf,
    recordRequest: (route, method, status, durationMs) => recorderOf(route, method)(status, durationMs),
    recordBatch: (size) => batches.observe(size),
    recordCommit: (durationMs) => commits.observe(durationMs / 1_000),
    recordKeyLookup(result) {
      pending[result] += 1;
    },
    recordRateLimited: (bucket) => limited.inc({ bucket }),
    ...shared,
    connectionEvents: createConnectionMetrics(registers),
    recordWebhookAttempt: createAttemptMetrics(registers),
    ...createStoreMetrics(registry),
    ...createHeldMetrics(registry),
    watchUnreadableSecrets(count) {
      new Gauge({
        name: 'guildbook_unreadable_secrets',
        help: 'Stored secrets that SECRET_KEY does not read: webhooks deliver nothing, sessions sign in again.',
        labelNames: ['kind'],
        registers,
        async collect() {
          // A store that does not answer in time leaves the last values.
          for (const [kind, unreadable] of Object.entries((await inTime(count())) ?? {})) {
            this.set({ kind }, unreadable);
          }
        },
      });
    },
  };
}

/** Every series exists from the start, at 0, so that a rate includes the first failure. */
function createAttemptMetrics(registers: Prometheus.Registry[]): Metrics['recordWebhookAttempt'] {
  const attempts = new Counter({
    name: 'guildbook_webhook_attempts_total',
    help: 'Delivery attempts of webhooks by kind and outcome: delivered, failed (tried again later) or given_up (not tried again).',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  for (const kind of WEBHOOK_KINDS) {
    for (const outcome of DELIVERY_OUTCOMES) {
      attempts.inc({ kind, outcome }, 0);
    }
  }
  return (kind, outcome) => attempts.inc({ kind, outcome });
}

/** A service on SQLite has no series of them. */
function createConnectionMetrics(registers: Prometheus.Registry[]): Metrics['connectionEvents'] {
  const waits = new Histogram({
    name: 'guildbook_pool_wait_seconds',
    help: 'How long statements waited for a database connection, by pool, when all of its connections were in use.',
    labelNames: ['pool'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const repeats = new Counter({
    name: 'guildbook_repeated_total',
    help: 'Statements sent again after a conflict with another transaction, and posts sent again because another transaction held the ledger of their guild (busy).',
    labelNames: ['reason'],
    registers,
  });
  const replicaReads = new Counter({
    name: 'guildbook_replica_reads_total',
    help: 'Reads that the replica of READ_DATABASE_URL may answer: answered by it, or by the primary because the replica was late or failed.',
    labelNames: ['result'],
    registers,
  });
  return {
    onReplicaRead: (result) => replicaReads.inc({ result }),
    onPoolWait: (pool, durationMs) => waits.observe({ pool }, durationMs / 1_000),
    onRepeat: (reason) => repeats.inc({ reason }),
  };
}

/** The metrics are made on first use, because a service without a shared limiter has none of them. */
function createSharedLimitMetrics(
  registers: Prometheus.Registry[],
): Pick<Metrics, 'recordSharedLimits' | 'recordLocalLimit'> {
  let reach: Prometheus.Gauge | undefined;
  let decided: Prometheus.Counter | undefined;
  return {
    recordSharedLimits(isReached) {
      reach ??= new Gauge({
        name: 'guildbook_shared_limits_reachable',
        help: 'Whether the shared rate limits are within reach (1), or this process limits on its own (0).',
        registers,
      });
      reach.set(isReached ? 1 : 0);
    },
    recordLocalLimit() {
      decided ??= new Counter({
        name: 'guildbook_local_limit_decisions_total',
        help: 'Requests limited by this process alone, because the shared limits were out of reach.',
        registers,
      });
      decided.inc();
    },
  };
}
