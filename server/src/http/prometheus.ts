import { createRequire } from 'node:module';
import type * as Prometheus from 'prom-client';

// The parts of the Prometheus client that are used here. Its index also loads the push gateway and with it TLS: three
// megabytes for nothing.

const load = createRequire(import.meta.url);

export const AggregatorRegistry: typeof Prometheus.AggregatorRegistry = load('prom-client/lib/cluster.js');
export const Counter: typeof Prometheus.Counter = load('prom-client/lib/counter.js');
export const Gauge: typeof Prometheus.Gauge = load('prom-client/lib/gauge.js');
export const Histogram: typeof Prometheus.Histogram = load('prom-client/lib/histogram.js');
export const Registry: typeof Prometheus.Registry = load('prom-client/lib/registry.js');
export const collectDefaultMetrics: typeof Prometheus.collectDefaultMetrics = load(
  'prom-client/lib/defaultMetrics.js',
);
