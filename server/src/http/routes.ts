import { createEndpointParts } from './endpoint-parts.ts';
import { SERVED } from './endpoints.ts';
import type { AddEndpoint } from './pipeline.ts';
import type { RouteParts } from './server.ts';

/** Adds every route of the service. */
export function addRoutes(add: AddEndpoint, parts: RouteParts): void {
  const endpointParts = createEndpointParts(parts);
  for (const endpoint of SERVED) {
    endpoint.register(add, endpointParts);
  }
}
