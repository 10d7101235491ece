import type { TObject, TSchema } from 'typebox';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { BotCommand } from '../wire/commands.ts';
import { BareError, EnvelopedError } from '../wire/envelope.ts';
import { LedgerTransaction, NewTransaction, Pagination } from '../wire/ledger.ts';
import { Discharge, Transfer } from '../wire/records.ts';
import { PastUser, Verification } from '../wire/users.ts';
import type { Endpoint } from './endpoint.ts';
import { describeError, errorBody } from './error-reply.ts';
import { describeBucket } from './guard.ts';
import { INTRODUCTION, RATE_LIMIT_HEADERS, RESPONSE_HEADERS, TAGS } from './openapi-texts.ts';

type Json = Record<string, unknown>;
type ErrorCase = Endpoint['errors'][number];

/** Schemas that get a name of their own in the document; everything else stands where it is used. */
const NAMED_SCHEMAS: Record<string, TSchema> = {
  Discharge,
  Transfer,
  PastUser,
  Verification,
  BotCommand,
  NewTransaction,
  LedgerTransaction,
  Pagination,
  Error: EnvelopedError,
  BareError,
};
const NAMES = new Map(Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]));

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
      version: '1.0.0',
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
      },
      headers: { ...RESPONSE_HEADERS, ...RATE_LIMIT_HEADERS },
      schemas: Object.fromEntries(
        Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, describeFields(schema)]),
      ),
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const { operationId, tag, summary, description, scope, bucket, body } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(scope && { 'x-required-scope': scope }),
    ...(bucket && { 'x-rate-limit': describeBucket(bucket) }),
    security: scope === undefined ? [{}, { apiKey: [] }] : [{ apiKey: [] }],
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...parameters('header', endpoint.headers),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: describe(body), example: exampleOf(body) } },
      },
    }),
    responses: { 200: successResponse(endpoint), ...errorResponses(endpoint) },
  };
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
    content: {
      'application/json': { schema: describe(endpoint.reply), examples: namedExamples(endpoint.examples) },
    },
  };
}

/** The failures that follow from what an endpoint is: protected, limited, alive. */
function sharedErrors({ scope, bucket, errors }: Endpoint): ErrorCase[] {
  const isKeyed = scope !== undefined || errors.some(({ code }) => code === 'authentication_required');
  const shared: ErrorCase[] = scope
    ? [{ code: 'unauthorized' }, { code: 'missing_scope', detail: scope }]
    : [];
  if (bucket) shared.push({ code: 'rate_limited', detail: describeBucket(bucket) });
  if (isKeyed) shared.push({ code: 'authentication_throttled' });
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
  const bodies = cases.map(({ code, message }) => [code, errorBody(endpoint.errorShape, status, message)]);
  const isBare = !('success' in errorBody(endpoint.errorShape, status, ''));
  const retry = status === 429 || status === 503 ? { 'Retry-After': headerRef('Retry-After') } : {};
  return {
    description: STATUS_TEXTS[status] ?? 'Error',
    headers: { ...commonHeaders(endpoint, status), ...retry },
    content: {
      'application/json': {
        schema: describe(isBare ? BareError : EnvelopedError),
        examples: namedExamples(Object.fromEntries(bodies)),
      },
    },
  };
}

const STATUS_TEXTS: Record<number, string> = {
  400: 'Bad request: nothing was changed',
  401: 'The key is missing, malformed, unknown, expired or deleted',
  403: 'The key lacks the required scope',
  404: "There is no such record in the key's guild",
  413: 'The body is larger than 16 KiB',
  415: 'The body is not application/json',
  422: 'The idempotency key belongs to another request',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'The service cannot answer right now',
};

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
  const { properties, items, 'x-type-error': _internal, ...rest } = schema as Json;
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

/** The first example of every required field. */
function exampleOf(schema: TObject): Json {
  const fields = requiredNames(schema).map((name) => {
    const { examples } = schema.properties[name] as { examples?: unknown[] };
    return [name, examples?.[0]];
  });
  return Object.fromEntries(fields);
}

function headerCase(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function requiredNames(schema: TObject | undefined): readonly string[] {
  return schema?.required ?? [];
}
