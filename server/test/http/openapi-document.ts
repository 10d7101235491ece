import { listenOnFreePort } from '../support/raw-http.ts';
import { type FilledService, startFilledService } from './filled-service.ts';

export interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  $ref?: string;
}
export interface Operation {
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<
    string,
    {
      headers: Record<string, { $ref: string }>;
      content: Record<string, { schema: Schema; examples: Record<string, { value: { code?: string } }> }>;
    }
  >;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; headers: Record<string, object> };
}

/** A service with data, its OpenAPI document, and the port that it listens on. */
export interface DocumentedService {
  service: FilledService;
  document: OpenApiDocument;
  port: number;
}

export async function startDocumentedService(): Promise<DocumentedService> {
  const service = await startFilledService();
  const document = (await service.send({ method: 'GET', url: '/openapi.json' })).body;
  return { service, document, port: await listenOnFreePort(service.app) };
}

export function fieldOfSchema({ components }: OpenApiDocument, name: string, field: string): Schema {
  return components.schemas[name]?.properties?.[field] ?? {};
}
