import type { Registry } from 'prom-client';
import { addComputedMetric } from './computed-metric.ts';
import type { Lifetimes } from './lifetimes.ts';

/** Gauges of what requests and connections hold now. They have no values until the application is built. */
export interface HeldMetrics {
  watchRequests(lifetimes: Lifetimes): void;
  watchConnections(count: () => Promise<number>): void;
}

export function createHeldMetrics(registry: Registry): HeldMetrics {
  let lifetimes: Lifetimes | undefined;
  let connectionCount: (() => Promise<number>) | undefined;
  addComputedMetric(registry, {
    name: 'guildbook_http_held_resources',
    help: 'What requests under way hold, by resource: unfinished_body, session_request, export, live_stream, streamed_answer.',
    type: 'gauge',
    values: () =>
      lifetimes === undefined
        ? []
        : Object.entries(lifetimes.held()).map(([resource, value]) => ({ labels: { resource }, value })),
  });
  addComputedMetric(registry, {
    name: 'guildbook_http_connections',
    help: 'Open connections of clients.',
    type: 'gauge',
    values: async () =>
      connectionCount === undefined ? [] : [{ labels: {}, value: await connectionCount() }],
  });
  return {
    watchRequests(given) {
      lifetimes = given;
    },
    watchConnections(count) {
      connectionCount = count;
    },
  };
}
