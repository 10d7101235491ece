import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { addComputedMetric, type ComputedValue } from './computed-metric.ts';

/** Upper bounds of the histogram's buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const REQUESTS = 'guildbook_http_requests_total';
const DURATIONS = 'guildbook_http_request_duration_seconds';

export type RecordAnswer = (status: number, durationMs: number) => void;

/** Counters of one route: plain numbers, formatted on scrape. */
interface RouteMetrics {
  labels: { route: string; method: string };
  byStatus: Map<number, number>;
  /** The number of answers in each bucket, not cumulative. The last bucket has no upper bound. */
  classes: number[];
  seconds: number;
  record: RecordAnswer;
}

/** Counts answers and their durations by route, in plain numbers because it runs for every request. */
export function createRequestMetrics(registry: Registry): (route: string, method: string) => RecordAnswer {
  const routes = new Map<string, RouteMetrics>();
  addComputedMetric(registry, {
    name: REQUESTS,
    help: 'Answered requests by route, method and status.',
    type: 'counter',
    values: () => [...routes.values()].flatMap(countValues),
  });
  addComputedMetric(registry, {
    name: DURATIONS,
    help: 'Time from a request to its answer, by route and method.',
    type: 'histogram',
    // A route without a request has no series, because most routes of most services never have one.
    values: () => [...routes.values()].filter(({ byStatus }) => byStatus.size > 0).flatMap(durationValues),
  });
  return (route, method) => {
    const name = `${method} ${route}`;
    let metrics = routes.get(name);
    if (metrics === undefined) {
      metrics = createRouteMetrics(route, method);
      routes.set(name, metrics);
    }
    return metrics.record;
  };
}

function createRouteMetrics(route: string, method: string): RouteMetrics {
  const byStatus = new Map<number, number>();
  const metrics: RouteMetrics = {
    labels: { route, method },
    byStatus,
    classes: Array.from({ length: BOUNDS.length + 1 }, () => 0),
    seconds: 0,
    record(status, durationMs) {
      const seconds = durationMs / 1_000;
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      let index = 0;
      while (index < BOUNDS.length && seconds > (BOUNDS[index] ?? 0)) {
        index += 1;
      }
      metrics.classes[index] = (metrics.classes[index] ?? 0) + 1;
      metrics.seconds += seconds;
    },
  };
  return metrics;
}

function countValues({ labels, byStatus }: RouteMetrics): ComputedValue[] {
  return [...byStatus].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value }));
}

/** In the text format buckets are cumulative: each includes those before it. */
function durationValues({ labels, classes, seconds }: RouteMetrics): ComputedValue[] {
  let total = 0;
  const buckets = classes.map((count, index) => {
    total += count;
    return {
      metricName: `${DURATIONS}_bucket`,
      labels: { le: BOUNDS[index] ?? '+Inf', ...labels },
      value: total,
    };
  });
  return [
    ...buckets,
    { metricName: `${DURATIONS}_sum`, labels, value: seconds },
    { metricName: `${DURATIONS}_count`, labels, value: total },
  ];
}

/** One process' metrics as data that can be sent. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];
