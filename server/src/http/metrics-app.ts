import { once } from 'node:events';
import type { BaseLogger } from 'pino';
import type { Clock } from '../domain/ports.ts';
import { toBody } from './answer.ts';
import { answerClientError } from './client-error.ts';
import { createHttpServer } from './http-server.ts';
import { createLifetimes } from './lifetimes.ts';
import type { Metrics } from './metrics.ts';
import { originOf } from './origin.ts';
import { createPipeline } from './pipeline.ts';
import { createRecent } from './recent.ts';
import type { App } from './server.ts';

/** Scrapers are few, and keep one connection each. */
const CONNECTIONS_MAX = 64;

export interface MetricsAppParts {
  metrics: Metrics;
  /** The text of a scrape: of this process, or of all processes that serve together. */
  readText: () => Promise<string>;
  logger: BaseLogger;
  clock: Pick<Clock, 'monotonicMs'>;
  isStopping: () => boolean;
}

/**
 * The metrics on an address of their own, for operators alone: GET and HEAD of `/metrics`, and 404 for everything else. A scrape
 * is computed at most once a second, however many ask.
 */
export function buildMetricsApp({ metrics, readText, logger, clock, isStopping }: MetricsAppParts): App {
  const lifetimes = createLifetimes();
  const pipeline = createPipeline({
    metrics,
    logger,
    lifetimes,
    isStopping,
    isOverloaded: () => false,
    hasLongRequests: false,
  });
  const server = createHttpServer(pipeline.handle, { hasLongRequests: false, trustedProxies: [] });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', answerClientError);
  const readBody = createRecent(async () => toBody(await readText()), clock);
  const route = {
    method: 'GET',
    path: '/metrics',
    access: 'public',
    errorShape: 'enveloped',
    unknownParameters: 'ignored',
  } as const;
  pipeline.add(route, { identify: () => undefined }, async () => ({
    body: await readBody(),
    contentType: metrics.contentType,
    headers: ['cache-control', 'no-store'],
  }));
  return {
    server,
    async listen({ host, port }) {
      server.listen({ host, port });
      await once(server, 'listening');
      const origin = originOf(server.address(), { host, port });
      logger.info({ metrics: `${origin}${route.path}` }, 'serving metrics');
      return origin;
    },
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
