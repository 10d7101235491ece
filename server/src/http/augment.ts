import type { ErrorShape } from './errors.ts';
import type { RequestState } from './pipeline.ts';

/** What the pipeline adds to Fastify's own objects. */
declare module 'fastify' {
  interface FastifyContextConfig {
    errorShape?: ErrorShape;
    /** Takes any address, so that it does not make an address a known one. */
    isCatchAll?: boolean;
  }
  interface FastifyRequest {
    /** Set when a request of an endpoint begins. Requests of pages have none. */
    state: RequestState;
  }
}
