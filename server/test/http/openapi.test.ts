import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SORT_KEYS } from '../../src/domain/model.ts';
import { closeObjects } from '../support/close-objects.ts';
import { transactionBody } from '../support/service.ts';
import { ENDPOINT_CASES, type FilledService, GUILD_ID, startFilledService } from './filled-service.ts';
import { ADDED, STATED } from './stated-endpoints.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Response {
  description: string;
  headers: Record<string, { $ref?: string }>;
  content: { 'application/json': Media };
}
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: { type: string };
}
interface Operation {
  operationId: string;
  security: object[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': Media } };
  responses: Record<string, Response>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { headers: object; schemas: object; securitySchemes: object };
}

/** Headers that an answer has only in some cases. */
const OPTIONAL_HEADERS = ['Idempotency-Replayed', 'X-Unknown-Parameters'];

let service: FilledService;
let document: Document;
let ajv: Ajv2020;

beforeAll(async () => {
  service = await startFilledService();
  document = (await service.send({ method: 'GET', url: '/openapi.json' })).body;
  ajv = new Ajv2020({
    strict: false,
    formats: {
      'text-line': true,
      'text-note': true,
      'text-block': true,
      'iso-date': /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/,
      uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    },
  });
  ajv.addSchema(closeObjects(document) as object, 'document');
});
afterAll(() => service.stop());

function operationOf({ path, method }: { path: string; method: string }): Operation {
  const operation = document.paths[path]?.[method];
  if (operation === undefined) {
    throw new Error(`the document lacks ${method} ${path}`);
  }
  return operation;
}

/** Validates a body against a schema of the document, named by the steps that lead to it. */
function expectValid(body: unknown, ...steps: (string | number)[]): void {
  const pointer = steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  const validate = ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
  validate(body);
  expect(validate.errors).toBeNull();
}

function examplesOf(media: Media): unknown[] {
  const named = Object.values(media.examples ?? {}).map(({ value }) => value);
  return media.example === undefined ? named : [media.example, ...named];
}

test("the document is OpenAPI 3.1 in JSON and describes the six endpoints, those added to the ledger, the bot's ways in, and nothing else", async () => {
  const reply = await service.send({ method: 'GET', url: '/openapi.json' });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const ofInterface = listed.filter((one) => !one.includes(' /bot/'));
  const stated = STATED.map(({ path, method }) => `${method} ${path}`);
  expect(ofInterface.sort()).toEqual([...stated, ...ADDED].sort());
  const ids = STATED.map((stated) => operationOf(stated).operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every reference leads somewhere', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
  expect(references.length).toBe([...text.matchAll(/"\$ref"/g)].length);
  const components = document.components as unknown as Record<string, Record<string, unknown>>;
  for (const [, kind = '', name = ''] of references) {
    expect(components[kind]).toHaveProperty([name]);
  }
});

describe.each(STATED)('$method $path', (stated) => {
  const { path, method, statuses } = stated;

  test('lists every status it can answer with', () => {
    expect(Object.keys(operationOf(stated).responses).map(Number)).toEqual(statuses);
  });

  test('has a schema and valid examples for every status', () => {
    for (const [status, response] of Object.entries(operationOf(stated).responses)) {
      const examples = examplesOf(response.content['application/json']);
      expect(examples.length).toBeGreaterThan(0);
      expect(response.description).not.toBe('');
      for (const example of examples) {
        expectValid(
          example,
          'paths',
          path,
          method,
          'responses',
          status,
          'content',
          'application/json',
          'schema',
        );
      }
    }
  });

  test('describes each parameter in its path and marks it as required', () => {
    const { parameters } = operationOf(stated);
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(parameters.every(({ description }) => description.length > 0)).toBe(true);
  });

  test('states whether it needs a key', () => {
    const keyed = { apiKey: [] };
    expect(operationOf(stated).security).toEqual(path === '/commands' ? [{}, keyed] : [keyed]);
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
  });
});

test('the listing states its parameters with their defaults and bounds', () => {
  const { parameters } = operationOf({ path: '/guild/ledger/{playerId}/transactions', method: 'get' });
  const query = parameters.filter((parameter) => parameter.in === 'query');
  expect(query.every(({ required }) => !required)).toBe(true);
  expect(Object.fromEntries(query.map(({ name, schema }) => [name, schema]))).toMatchObject({
    page: { type: 'integer', default: 1, minimum: 1 },
    limit: { type: 'integer', default: 20, minimum: 1, maximum: 100 },
    from: { type: 'string' },
    minAmount: { type: 'number', minimum: 0 },
    maxAmount: { type: 'number', minimum: 0 },
    sortBy: { default: 'createdAt', enum: [...SORT_KEYS] },
    sortOrder: { default: 'desc', enum: ['asc', 'desc'] },
  });
});

test('the example of a post is valid, and is posted when it is sent', async () => {
  const { requestBody } = operationOf({ path: '/guild/ledger', method: 'post' });
  const payload = requestBody?.content['application/json'].example as object;
  expect(requestBody?.required).toBe(true);
  expectValid(
    payload,
    'paths',
    '/guild/ledger',
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  );
  const reply = await service.ask({ method: 'POST', url: '/guild/ledger', payload });
  expect(reply.status).toBe(200);
});

describe('real answers are as the document says', () => {
  interface RealAnswer {
    endpoint: number;
    status: number;
    changes?: object;
    scopes?: readonly [];
  }
  const absent = ['/guild/discharges/none', '/guild/transfers/none', '/users/none'];
  const blank = ['/guild/discharges', '/guild/transfers', '/users', '/commands?category[]=a'];
  const ANSWERS: RealAnswer[] = [
    ...ENDPOINT_CASES.map((_case, endpoint) => ({ endpoint, status: 200 })),
    ...absent.map((url, endpoint) => ({ endpoint, status: 404, changes: { url } })),
    ...blank.map((url, endpoint) => ({ endpoint, status: 400, changes: { url } })),
    ...[0, 1, 2, 4, 5].map((endpoint) => ({ endpoint, status: 401, changes: { key: undefined } })),
    ...[0, 1, 2, 4, 5].map((endpoint) => ({ endpoint, status: 403, scopes: [] as const })),
    { endpoint: 4, status: 200, changes: { payload: transactionBody({ amount: -1 }) } },
    { endpoint: 4, status: 400, changes: { payload: {} } },
    { endpoint: 4, status: 400, changes: { payload: transactionBody({ amount: 0 }) } },
    { endpoint: 4, status: 413, changes: { payload: { playerId: 'x'.repeat(20_000) } } },
    { endpoint: 4, status: 415, changes: { payload: 'x', headers: { 'content-type': 'text/plain' } } },
    { endpoint: 5, status: 200, changes: { url: '/guild/ledger/48213977/transactions' } },
    { endpoint: 5, status: 400, changes: { url: '/guild/ledger/48213977/transactions?limit=0' } },
  ];

  test.each(ANSWERS)('endpoint $endpoint, status $status', async ({ endpoint, status, changes, scopes }) => {
    const { method, url, payload } = ENDPOINT_CASES[endpoint] ?? { method: 'GET', url: '' };
    const key = scopes === undefined ? service.key : (await service.addKey(GUILD_ID, scopes)).value;
    const reply = await service.ask({ method, url, key, ...(payload && { payload }), ...changes });
    expect(reply.status).toBe(status);
    const { path = '', method: named = '' } = STATED[endpoint] ?? {};
    expectValid(
      reply.body,
      'paths',
      path,
      named,
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    );
    const { headers } = operationOf({ path, method: named }).responses[status] ?? { headers: {} };
    for (const name of Object.keys(headers).filter((one) => !OPTIONAL_HEADERS.includes(one))) {
      expect(reply.headers).toHaveProperty([name.toLowerCase()]);
    }
  });
});
