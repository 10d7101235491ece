import { EXCLUDED } from './exceptions.ts';
import { buildSessionDocument } from './session-document.ts';

export const ACCESSES = ['key', 'session', 'bot'] as const;
export type AccessKind = (typeof ACCESSES)[number];

type Json = Record<string, unknown>;
interface Media extends Json {
  schema: Json;
  'x-line-schema'?: Json;
}
interface Operation {
  security: Json[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const LINES_MAX = 5;

/** The operations that a caller with these credentials has: those of the service's own document, or of the dashboard. */
export async function documentFor(access: AccessKind, address: string): Promise<Document> {
  if (access === 'session') {
    // `Document` describes only the part of an OpenAPI document that this file reads.
    return keep(buildSessionDocument() as unknown as Document, () => true);
  }
  // The service's own document is one.
  const published = (await (await fetch(`${address}/openapi.json`)).json()) as Document;
  const isOfBot = ({ security }: Operation) => security.some((one) => 'botToken' in one);
  return keep(published, (operation) => isOfBot(operation) === (access === 'bot'));
}

export function countOperations({ paths }: Document): number {
  return Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
}

function keep(document: Document, isKept: (operation: Operation) => boolean): Document {
  const excluded = EXCLUDED.map(({ operation }) => operation);
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const kept = Object.entries(methods).filter(
      ([method, operation]) => isKept(operation) && !excluded.includes(`${method.toUpperCase()} ${path}`),
    );
    return [path, Object.fromEntries(kept.map(([method, operation]) => [method, withLines(operation)]))];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** OpenAPI describes a stream of lines as text. As a list of its lines it can be generated and checked. */
function withLines(operation: Operation): Operation {
  const contents = [operation.requestBody, ...Object.values(operation.responses)];
  for (const media of contents.flatMap((one) => Object.values(one?.content ?? {}))) {
    const { 'x-line-schema': line } = media;
    if (line !== undefined) {
      media.schema = { type: 'array', items: line };
      delete media.example;
      delete media.examples;
    }
  }
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    if (media['x-line-schema'] !== undefined) {
      media.schema.maxItems = LINES_MAX;
    }
  }
  return operation;
}
