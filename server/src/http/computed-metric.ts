import type { Metric, MetricValue, Registry } from 'prom-client';

export type ComputedValue = MetricValue<string> & { metricName?: string };

export interface ComputedMetric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** Called on each scrape. An empty list leaves the series out. */
  values: () => ComputedValue[] | Promise<ComputedValue[]>;
}

/** Adds a metric whose values are computed on scrape, instead of being kept by the library. */
export function addComputedMetric(registry: Registry, { values, ...about }: ComputedMetric): void {
  const metric = {
    ...about,
    aggregator: 'sum',
    get: async () => ({ ...about, aggregator: 'sum', values: await values() }),
  };
  // The registry uses the name and `get` of a metric; the library's types want its own classes.
  registry.registerMetric(metric as unknown as Metric<string>);
}
