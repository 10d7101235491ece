import { plural, t } from '@lingui/core/macro';
import { isRecord, type JsonRecord, listOf, recordOf, stringsOf, textOf } from './json.ts';
import type {
  CredentialScheme,
  Operation,
  OperationGroup,
  Reference,
  ResponseDoc,
  Security,
} from './model.ts';
import { createResolver, type Resolver } from './pointers.ts';
import { readBody, readParameters, readResponses } from './read-operation.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** Converts an OpenAPI 3 document to the page's model. Throws for any other document. */
export function readDocument(document: unknown): Reference {
  if (!isRecord(document) || !textOf(document.openapi).startsWith('3.')) {
    throw new Error('The answer is not an OpenAPI 3 document.');
  }
  const info = recordOf(document.info);
  const resolver = createResolver(document);
  return {
    title: textOf(info.title) || 'API',
    version: textOf(info.version),
    summary: textOf(info.summary),
    description: textOf(info.description),
    basePath: readBasePath(document),
    groups: readGroups(document, resolver),
    credentials: readCredentials(document, resolver),
  };
}

// Requests always go to the origin of the page; only the path of the server's address is used.
function readBasePath(document: JsonRecord): string {
  const url = textOf(recordOf(listOf(document.servers)[0]).url);
  try {
    return new URL(url, 'http://same-origin').pathname.replace(/\/+$/, '');
  } catch {
    return '';
  }
}

function readCredentials(document: JsonRecord, resolver: Resolver): CredentialScheme[] {
  const schemes = recordOf(recordOf(document.components).securitySchemes);
  return Object.entries(schemes).flatMap(([id, value]): CredentialScheme[] => {
    const scheme = resolver.resolve(value);
    const description = textOf(scheme.description);
    if (scheme.type === 'apiKey' && scheme.in === 'header') {
      return [{ id, kind: 'api-key', header: textOf(scheme.name), description }];
    }
    if (scheme.type === 'http' && textOf(scheme.scheme).toLowerCase() === 'bearer') {
      return [{ id, kind: 'bearer', header: 'authorization', description }];
    }
    return [];
  });
}

function readGroups(document: JsonRecord, resolver: Resolver): OperationGroup[] {
  const groups = new Map<string, OperationGroup>();
  for (const value of listOf(document.tags)) {
    const tag = recordOf(value);
    const name = textOf(tag.name);
    groups.set(name, { name, description: textOf(tag.description), operations: [] });
  }
  for (const [path, value] of Object.entries(recordOf(document.paths))) {
    const item = resolver.resolve(value);
    for (const method of methods.filter((candidate) => isRecord(item[candidate]))) {
      const raw = recordOf(item[method]);
      const name = stringsOf(raw.tags)[0] ?? 'Other';
      const group = groups.get(name) ?? { name, description: '', operations: [] };
      group.operations.push(readOperation(raw, { document, item, method, path, resolver }));
      groups.set(name, group);
    }
  }
  return [...groups.values()].filter((group) => group.operations.length > 0);
}

interface OperationPlace {
  document: JsonRecord;
  item: JsonRecord;
  method: string;
  path: string;
  resolver: Resolver;
}

function readOperation(raw: JsonRecord, place: OperationPlace): Operation {
  const { document, item, method, path, resolver } = place;
  const id = textOf(raw.operationId) || `${method}${path.replace(/[^a-zA-Z0-9]+/g, '-')}`;
  const responses = readResponses(raw.responses, resolver);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: textOf(raw.summary) || id,
    description: textOf(raw.description),
    isDeprecated: raw.deprecated === true,
    scope: textOf(raw['x-required-scope']) || undefined,
    rateLimit: readRateLimit(raw['x-rate-limit']) ?? (hasRateHeader(responses) ? t`Rate limited` : undefined),
    security: readSecurity(raw.security ?? document.security),
    parameters: readParameters([...listOf(item.parameters), ...listOf(raw.parameters)], resolver),
    body: readBody(raw.requestBody, resolver),
    responses,
  };
}

// Without the extension, the headers of a successful answer still show that there is a limit.
function hasRateHeader(responses: ResponseDoc[]): boolean {
  const success = responses.find(({ status }) => status.startsWith('2'));
  return success?.headers.some(({ name }) => /ratelimit/i.test(name)) ?? false;
}

/** The document has a sentence in English. The usual ones are shown in the language of the page. */
function readRateLimit(value: unknown): string | undefined {
  const sentence = textOf(value);
  const [, digits, unit] = /^(\d+) requests per (second|minute)$/.exec(sentence) ?? [];
  if (digits === undefined) return sentence || undefined;
  const count = Number(digits);
  return unit === 'second'
    ? plural(count, { one: '# request per second', other: '# requests per second' })
    : plural(count, { one: '# request per minute', other: '# requests per minute' });
}

function readSecurity(value: unknown): Security {
  const alternatives = listOf(value).map((requirement) => Object.keys(recordOf(requirement)));
  const complete = alternatives.filter((names) => names.length > 0);
  return {
    alternatives: complete,
    isOptional: complete.length < alternatives.length || complete.length === 0,
  };
}
