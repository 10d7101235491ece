import type { TObject, TSchema } from 'typebox';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { VERSION } from '../../version.ts';
import { BareError, CodedError, EnvelopedError } from '../../wire/envelope.ts';
import { DOCUMENTED_AS } from '../../wire/validation.ts';
import { describeBucket } from '../access/rate-limit.ts';
import type { Endpoint } from '../endpoint.ts';
import { describeError, errorBody } from '../errors.ts';
import { EXAMPLE_FACTS, STATUS_TEXTS } from './error-texts.ts';
import { NAMED_SCHEMAS, NAMES } from './named-schemas.ts';
import { INTRODUCTION, RATE_LIMIT_HEADERS, RESPONSE_HEADERS, TAGS } from './texts.ts';

type Json = Record<string, unknown>;
type ErrorCase = Endpoint['errors'][number];

/** Describes the endpoints as OpenAPI 3.1. Everything comes from what the routes themselves are built from. */
export function buildOpenApi(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Guildbook',
      version: VERSION,
      summary: 'Guild records and ledger',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key of one guild, with scopes and an expiry.',
        },
        botToken: {
          type: 'http',
          scheme: 'bearer',
          description: "The token of the operator's bot, set as `BOT_TOKEN`.",
        },
      },
      headers: { ...RESPONSE_HEADERS, ...RATE_LIMIT_HEADERS },
      schemas: Object.fromEntries(
        Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, describeFields(schema)]),
      ),
    },
  };
}

const SECURITY: Record<Endpoint['access'], Json[]> = {
  key: [{ apiKey: [] }],
  bot: [{ botToken: [] }],
  public: [{}, { apiKey: [] }],
};

function operation(endpoint: Endpoint): Json {
  const { operationId, tag, summary, description, scope, bucket } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(scope && { 'x-required-scope': scope }),
    ...(bucket && { 'x-rate-limit': describeBucket(bucket) }),
    security: SECURITY[endpoint.access],
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...parameters('header', endpoint.headers),
    ],
    ...requestBody(endpoint),
    responses: { 200: successResponse(endpoint), ...errorResponses(endpoint) },
  };
}

const NDJSON = 'application/x-ndjson';

/** OpenAPI 3.1 knows a stream of lines as text only; what one line is stands beside it. */
function linesOf(description: string, line: Json): Json {
  return { schema: { type: 'string', description }, 'x-line-schema': line };
}

function requestBody({ body, isStreamed, bodyLines, bodyExample }: Endpoint): Json {
  if (isStreamed === true) {
    const lines = linesOf('One JSON record a line.', { anyOf: (bodyLines ?? []).map(describe) });
    return { requestBody: { required: true, content: { [NDJSON]: { ...lines, example: bodyExample } } } };
  }
  const content = body && { 'application/json': { schema: describe(body), example: exampleOf(body) } };
  return content === undefined ? {} : { requestBody: { required: true, content } };
}

function parameters(place: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, examples, ...rest } = describeFields(field);
    const hasDefault = 'default' in rest;
    return {
      name: place === 'header' ? headerCase(name) : name,
      in: place,
      required: place === 'path' || (!hasDefault && requiredNames(schema).includes(name)),
      description,
      schema: rest,
      ...(rest.type === 'array' && { style: 'form', explode: false }),
      ...(Array.isArray(examples) && { example: examples[0] }),
    };
  });
}

function successResponse(endpoint: Endpoint): Json {
  const own = Object.entries(endpoint.replyHeaders ?? {}).map(([name, { description, example }]) => [
    name,
    { description, schema: { type: 'string' }, example },
  ]);
  return {
    description: 'Success',
    headers: { ...commonHeaders(endpoint), ...Object.fromEntries(own) },
    content:
      endpoint.isStreamed === true
        ? {
            [NDJSON]: {
              ...linesOf('One JSON object for each line that was sent.', describe(endpoint.reply)),
              examples: namedExamples(endpoint.examples),
            },
          }
        : {
            'application/json': {
              schema: describe(endpoint.reply),
              examples: namedExamples(endpoint.examples),
            },
          },
  };
}

/** The failures that follow from what an endpoint is: protected, limited, alive. */
function sharedErrors({ access, scope, bucket }: Endpoint): ErrorCase[] {
  const shared: ErrorCase[] = access === 'bot' ? [{ code: 'bot_unauthorized' }] : [];
  if (access === 'key') shared.push({ code: 'unauthorized' });
  if (scope) shared.push({ code: 'missing_scope', detail: scope });
  if (bucket) shared.push({ code: 'rate_limited', detail: describeBucket(bucket) });
  shared.push({ code: 'authentication_throttled' });
  shared.push({ code: 'internal' }, { code: 'store_unavailable' }, { code: 'overloaded' });
  return shared;
}

function errorResponses(endpoint: Endpoint): Json {
  const byStatus = new Map<number, { code: ErrorCode; message: string }[]>();
  for (const { code, detail } of [...endpoint.errors, ...sharedErrors(endpoint)]) {
    const { status, message } = describeError(new DomainError(code, detail === undefined ? {} : { detail }));
    byStatus.set(status, [...(byStatus.get(status) ?? []), { code, message }]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, cases]) => [status, errorResponse(endpoint, status, cases)]),
  );
}

function errorResponse(
  endpoint: Endpoint,
  status: number,
  cases: { code: ErrorCode; message: string }[],
): Json {
  const { errorShape } = endpoint;
  const bodies = cases.map(({ code, message }) => [
    code,
    errorBody(errorShape, status, message, { code, facts: EXAMPLE_FACTS[code] }),
  ]);
  const isBare = !('success' in errorBody(errorShape, status, ''));
  const enveloped = errorShape === 'coded' ? CodedError : EnvelopedError;
  const retry = status === 429 || status === 503 ? { 'Retry-After': headerRef('Retry-After') } : {};
  return {
    description: STATUS_TEXTS[status] ?? 'Error',
    headers: { ...commonHeaders(endpoint, status), ...retry },
    content: {
      'application/json': {
        schema: describe(isBare ? BareError : enveloped),
        examples: namedExamples(Object.fromEntries(bodies)),
      },
    },
  };
}

/** Limits are counted after key and scope were accepted, so those refusals carry no rate-limit headers. */
function commonHeaders({ bucket }: Endpoint, status = 200): Json {
  const isCounted = bucket !== undefined && ![401, 403].includes(status);
  const names = ['X-Request-Id', ...(isCounted ? Object.keys(RATE_LIMIT_HEADERS) : [])];
  return Object.fromEntries(names.map((name) => [name, headerRef(name)]));
}

function headerRef(name: string): Json {
  return { $ref: `#/components/headers/${name}` };
}

function namedExamples(examples: Record<string, unknown>): Json {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

/** A schema as the document shows it: by reference where it has a name. */
function describe(schema: TSchema): Json {
  const name = NAMES.get(schema);
  return name === undefined ? describeFields(schema) : { $ref: `#/components/schemas/${name}` };
}

function describeFields(schema: TSchema): Json {
  const { properties, items, 'x-type-error': _internal, 'x-rule': _rule, ...rest } = schema as Json;
  const documented = rest[DOCUMENTED_AS] as TSchema | undefined;
  if (documented !== undefined) {
    return describe(documented);
  }
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, TSchema>).map(([name, field]) => [name, describe(field)]),
      ),
    }),
    ...(items !== undefined && { items: describe(items as TSchema) }),
  };
}

interface ExampleSchema {
  examples?: readonly unknown[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
}

/** The schema's own first example, or one made of those of its required fields, as deep as the schema goes. */
function exampleOf(schema: TSchema): unknown {
  const { examples, items, properties } = ((schema as Json)[DOCUMENTED_AS] ?? schema) as ExampleSchema;
  if (examples !== undefined) {
    return examples[0];
  }
  if (items !== undefined) {
    return [exampleOf(items)];
  }
  if (properties === undefined) {
    return undefined;
  }
  return Object.fromEntries(
    requiredNames(((schema as Json)[DOCUMENTED_AS] ?? schema) as TObject).map((name) => [
      name,
      exampleOf(properties[name] ?? {}),
    ]),
  );
}

function headerCase(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function requiredNames(schema: TObject | undefined): readonly string[] {
  return schema?.required ?? [];
}
