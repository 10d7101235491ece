import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

export interface OperationParts {
  metrics: Metrics;
  /** Resolves when the service can do its work; rejects otherwise. */
  checkReady: () => Promise<void>;
  openapi: object;
}

/** What the operator's tools ask for: alive, ready, figures, and the interface's description. */
export function addOperationRoutes(app: FastifyInstance, parts: OperationParts): void {
  const openapiText = JSON.stringify(parts.openapi);

  app.get('/livez', async () => ({ status: 'alive' }));

  app.get('/readyz', async () => {
    await parts.checkReady();
    return { status: 'ready' };
  });

  app.get('/metrics', async (_request, reply) => {
    reply.type(parts.metrics.contentType);
    return parts.metrics.text();
  });

  app.get('/openapi.json', async (_request, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache');
    return reply.serializer(String).send(openapiText);
  });
}
