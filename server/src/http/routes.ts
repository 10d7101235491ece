import { createEndpointParts, isSecure } from './endpoint-parts.ts';
import { ENDPOINTS, SERVED } from './endpoints.ts';
import { buildOpenApi } from './openapi/document.ts';
import { addOperations } from './pages/operations.ts';
import { addPages } from './pages/pages.ts';
import type { AddEndpoint } from './pipeline.ts';
import type { RouteParts } from './server.ts';

/** Adds every route of the service: pages, endpoints, and the routes for the operator's tools. */
export function addRoutes(add: AddEndpoint, parts: RouteParts): void {
  addPages(add, { ...parts, root: parts.pagesRoot, isSecure: isSecure(parts) });
  const endpointParts = createEndpointParts(parts);
  for (const endpoint of SERVED) {
    endpoint.register(add, endpointParts);
  }
  addOperations(add, { ...parts, openapi: buildOpenApi(ENDPOINTS) });
}
