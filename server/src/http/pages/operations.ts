import { answerText, JSON_TYPE, toBody } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import type { Access, AddEndpoint } from '../pipeline.ts';

export interface OperationParts {
  /** Resolves when the service can do its work; rejects otherwise. */
  checkReady: () => Promise<void>;
  openapi: object;
}

const ANYBODY: Access<void> = { identify: () => undefined };
const operation = (path: string) =>
  ({
    method: 'GET',
    path,
    access: 'public',
    errorShape: 'enveloped',
    unknownParameters: 'ignored',
    isAlwaysServed: true,
  }) satisfies Route;

/** Routes for the operator's tools: liveness, readiness and the OpenAPI document. */
export function addOperations(add: AddEndpoint, parts: OperationParts): void {
  const openapi = toBody(JSON.stringify(parts.openapi));

  add(operation('/livez'), ANYBODY, () => answerText('{"status":"alive"}'));

  add(operation('/readyz'), ANYBODY, async () => {
    await parts.checkReady();
    return answerText('{"status":"ready"}');
  });

  add(operation('/openapi.json'), ANYBODY, () => ({
    body: openapi,
    contentType: JSON_TYPE,
    headers: ['cache-control', 'no-cache'],
  }));
}
