import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

/** The service's figures, in Prometheus' text format. Recording costs no look-up by label on a known route. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** The same as data, to be merged with the figures of other processes. */
  figures(): Promise<Figures>;
  recordRequest(route: string, method: string, status: number, durationMs: number): void;
  /** The same for one route, found once instead of with each request. */
  recorderOf(route: string, method: string): (status: number, durationMs: number) => void;
  recordBatch(size: number): void;
  recordKeyLookup(result: 'hit' | 'miss'): void;
  recordRateLimited(bucket: string): void;
  recordSharedLimits(isReached: boolean): void;
  recordLocalLimit(): void;
}

/** One process' figures as data that can be sent. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];

/**
 * The figures of several processes as one text. Each keeps its own series, told apart by its label: a sum would fall
 * when a process is replaced, which those who watch would take for a burst.
 */
export function mergeFigures(all: readonly Figures[]): Promise<string> {
  // Labels differ, so there is never more than one value to choose from.
  const kept = all.map((figures) => figures.map((one) => ({ ...one, aggregator: 'first' })));
  return AggregatorRegistry.aggregate(kept).metrics();
}

/** With a worker's name every series carries it as a label. */
export function createMetrics(worker?: string): Metrics {
  const registry = new Registry();
  if (worker !== undefined) {
    registry.setDefaultLabels({ worker });
  }
  // Among these is the event loop's lag.
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'guildbook_http_requests_total',
    help: 'Answered requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'guildbook_http_request_duration_seconds',
    help: 'Time from a request to its answer, by route and method.',
    labelNames: ['route', 'method'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const batches = new Histogram({
    name: 'guildbook_commit_batch_size',
    help: 'Writes per commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000],
    registers,
  });
  const lookups = new Counter({
    name: 'guildbook_key_lookups_total',
    help: 'Key look-ups answered from memory (hit) or from the store (miss).',
    labelNames: ['result'],
    registers,
  });
  const limited = new Counter({
    name: 'guildbook_rate_limited_total',
    help: 'Requests refused by a rate limit, by bucket.',
    labelNames: ['bucket'],
    registers,
  });
  const shared = createSharedLimitFigures(registers);
  // Resolving labels costs more than counting, and the combinations are few: routes, methods and statuses are closed sets.
  const recorders = new Map<string, (status: number, durationMs: number) => void>();

  function recorderOf(route: string, method: string) {
    const name = `${method} ${route}`;
    let record = recorders.get(name);
    if (record === undefined) {
      const ofRoute = durations.labels(route, method);
      const byStatus = new Map<number, Counter.Internal>();
      record = (status, durationMs) => {
        let ofStatus = byStatus.get(status);
        if (ofStatus === undefined) {
          ofStatus = requests.labels(route, method, String(status));
          byStatus.set(status, ofStatus);
        }
        ofStatus.inc();
        ofRoute.observe(durationMs / 1_000);
      };
      recorders.set(name, record);
    }
    return record;
  }

  const hits = lookups.labels('hit');
  const misses = lookups.labels('miss');

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    figures: () => registry.getMetricsAsJSON(),
    recorderOf,
    recordRequest: (route, method, status, durationMs) => recorderOf(route, method)(status, durationMs),
    recordBatch: (size) => batches.observe(size),
    recordKeyLookup: (result) => (result === 'hit' ? hits : misses).inc(),
    recordRateLimited: (bucket) => limited.inc({ bucket }),
    ...shared,
  };
}

/** Made when first needed: without a shared limiter there is nothing to be out of reach. */
function createSharedLimitFigures(
  registers: Registry[],
): Pick<Metrics, 'recordSharedLimits' | 'recordLocalLimit'> {
  let reach: Gauge | undefined;
  let decided: Counter | undefined;
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
