import type { TObject, TSchema } from 'typebox';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { VERSION } from '../../version.ts';
import { DATE_TIME_FORMAT } from '../../wire/dates.ts';
import { BareError, CodedError, EnvelopedError } from '../../wire/envelope.ts';
import { DOCUMENTED_RULES } from '../../wire/validation.ts';
import { describeBucket } from '../access/rate-limit.ts';
import type { Endpoint } from '../endpoint.ts';
import { describeError, errorBody } from '../errors.ts';
import { mayBeAbsent } from '../input.ts';
import { describeUnknown, UNKNOWN_PARAMETERS_HEADER } from '../unknown-parameters.ts';
import { EXAMPLE_FACTS, STATUS_TEXTS } from './error-texts.ts';
import { NAMED_SCHEMAS } from './named-schemas.ts';
import { describe, describeFields, exampleOf, requiredNames } from './schemas.ts';
import { INTRODUCTION, RATE_LIMIT_HEADERS, RESPONSE_HEADERS, TAGS } from './texts.ts';
import { describeAnyEvent, describeWebhooks } from './webhook-events.ts';

type Json = Record<string, unknown>;
type ErrorCase = Endpoint['errors'][number];

/** Answers to requests that arrive late or cannot be read. They are sent before there is a route, so their shape is the common one. */
const WITHOUT_ROUTE: readonly number[] = [408, 417, 431];
/** A limit that a key's settings may set for a route, for the examples. */
const EXAMPLE_KEY_LIMIT = { name: 'key-route', limit: 60, windowMs: 60_000 };
/** A parameter that no route knows, for the examples. */
const EXAMPLE_UNKNOWN = 'verbose';

/** Describes the endpoints as OpenAPI 3.1. Everything is derived from the definitions that the routes are built from. */
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
    webhooks: describeWebhooks(),
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
      schemas: {
        ...Object.fromEntries(
          Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, describeFields(schema)]),
        ),
        WebhookEvent: describeAnyEvent(),
      },
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

/** OpenAPI 3.1 describes a stream of lines as text only; `x-line-schema` describes one line. */
function linesOf(description: string, line: Json): Json {
  return { schema: { type: 'string', description }, 'x-line-schema': line };
}

function requestBody({ body, isStreamed, bodyLines, bodyExample }: Endpoint): Json {
  if (isStreamed === true) {
    const lines = linesOf('One JSON record a line.', { anyOf: (bodyLines ?? []).map(describe) });
    // A request without a body imports nothing.
    return { requestBody: { required: false, content: { [NDJSON]: { ...lines, example: bodyExample } } } };
  }
  if (body === undefined) {
    return {};
  }
  const content = { 'application/json': { schema: inRequest(describe(body)), example: exampleOf(body) } };
  return { requestBody: { required: isRequired(body), content } };
}

/** A body without required fields may be absent, unless it needs one of several. */
function isRequired(body: TSchema): boolean {
  return !mayBeAbsent(body) || DOCUMENTED_RULES in body;
}

/** Times in requests may leave the seconds out, which the standard's `date-time` may not. `pattern` has the whole rule. */
function inRequest(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    name === 'format' && value === DATE_TIME_FORMAT ? 'iso-date-time' : value,
  );
}

function parameters(place: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, examples, ...rest } = inRequest(describeFields(field));
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

/** The errors that an endpoint shares with others: of authentication, limits, the connection and the service itself. */
function sharedErrors(endpoint: Endpoint): ErrorCase[] {
  const { access, scope, bucket } = endpoint;
  const shared: ErrorCase[] = access === 'bot' ? [{ code: 'bot_unauthorized' }] : [];
  if (access === 'key') shared.push({ code: 'unauthorized' });
  if (scope) shared.push({ code: 'missing_scope', detail: scope });
  // A key's settings can limit a route that has no limit of its own.
  if (bucket) shared.push({ code: 'rate_limited', detail: describeBucket(bucket) });
  else if (access === 'key') shared.push({ code: 'rate_limited', detail: describeBucket(EXAMPLE_KEY_LIMIT) });
  if (endpoint.unknownParameters !== 'named') {
    shared.push({ code: 'unknown_parameter', detail: describeUnknown(EXAMPLE_UNKNOWN, endpoint) });
  }
  shared.push({ code: 'authentication_throttled' });
  shared.push({ code: 'request_timeout' }, { code: 'expectation_failed' }, { code: 'headers_too_large' });
  shared.push({ code: 'internal' }, { code: 'store_unavailable' }, { code: 'overloaded' });
  return shared;
}

function errorResponses(endpoint: Endpoint): Json {
  const byStatus = new Map<number, { code: ErrorCode; message: string }[]>();
  for (const { code, ...variable } of [...endpoint.errors, ...sharedErrors(endpoint)]) {
    const { status, message } = describeError(new DomainError(code, variable));
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
  const errorShape = WITHOUT_ROUTE.includes(status) ? 'enveloped' : endpoint.errorShape;
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

/**
 * Limits are counted after key and scope were accepted, so those refusals carry no rate-limit headers. Parameters are read
 * after that, and after the body has arrived.
 */
function commonHeaders({ access, bucket, unknownParameters }: Endpoint, status = 200): Json {
  // Other answers have them only for keys whose settings limit the route.
  const isLimited = bucket !== undefined || (access === 'key' && status === 429);
  const isCounted = isLimited && ![401, 403, ...WITHOUT_ROUTE].includes(status);
  const isRead = ![401, 413, 415, 429, ...WITHOUT_ROUTE].includes(status);
  const names = [
    'X-Request-Id',
    ...(isCounted ? Object.keys(RATE_LIMIT_HEADERS) : []),
    ...(isRead && unknownParameters === 'named' ? [UNKNOWN_PARAMETERS_HEADER] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, headerRef(name)]));
}

function headerRef(name: string): Json {
  return { $ref: `#/components/headers/${name}` };
}

function namedExamples(examples: Record<string, unknown>): Json {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function headerCase(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
