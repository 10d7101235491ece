import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { searchGroups } from '../src/docs/navigation.ts';
import { readDocument } from '../src/docs/reference/read-document.ts';
import { buildRequest, type CredentialValues } from '../src/docs/request/build-request.ts';
import { findFaults, initialValues } from '../src/docs/request/form-values.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [{ url: 'https://elsewhere.example/base/' }],
  security: [{ key: [] }],
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', schema: { type: 'string' }, example: 'a b/c' }],
      put: {
        operationId: 'putThing',
        tags: ['Things'],
        parameters: [{ $ref: '#/components/parameters/Tags' }, { name: 'Once', in: 'header', example: 'x' }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
        },
        responses: { 200: { $ref: '#/components/responses/Done' }, 404: { description: 'No such thing.' } },
      },
      get: {
        operationId: 'getThing',
        security: [{}, { key: [] }],
        responses: {},
        'x-rate-limit': '1200 requests per minute',
      },
    },
    '/bot': {
      post: { operationId: 'bot', security: [{ bot: [] }], responses: {}, 'x-rate-limit': '2 a day' },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      bot: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    },
    parameters: { Tags: { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } } },
    headers: { Id: { schema: { type: 'string' }, example: 'r1' } },
    responses: { Done: { description: 'Done.', headers: { 'X-Id': { $ref: '#/components/headers/Id' } } } },
    schemas: {
      Node: {
        type: 'object',
        required: ['kind'],
        properties: {
          kind: { anyOf: [{ const: 'leaf' }, { const: 'branch' }] },
          size: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
          note: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
          child: { $ref: '#/components/schemas/Node' },
        },
      },
    },
  },
};

const reference = readDocument(document);

function operation(id: string) {
  const found = reference.groups
    .flatMap(({ operations }) => operations)
    .find((candidate) => candidate.id === id);
  if (!found) throw new Error(`No operation ${id}`);
  return found;
}

function request(id: string, credentials: CredentialValues, parameters: Record<string, string> = {}) {
  const values = initialValues(operation(id));
  return buildRequest({
    baseUrl: 'http://here',
    operation: operation(id),
    values: { ...values, parameters: { ...values.parameters, ...parameters } },
    schemes: reference.credentials,
    credentials,
  });
}

describe('reading a document', () => {
  test('something that is no OpenAPI 3 document is refused', () => {
    expect(() => readDocument({ swagger: '2.0' })).toThrow('not an OpenAPI 3 document');
    expect(() => readDocument(null)).toThrow('not an OpenAPI 3 document');
  });

  test('references to parameters, responses and headers are followed', () => {
    const { parameters, responses } = operation('putThing');
    expect(parameters.map(({ name }) => name)).toEqual(['id', 'tag', 'Once']);
    expect(responses[0]?.headers[0]).toMatchObject({ name: 'X-Id', example: 'r1' });
  });

  test('a limit is stated in the language of the page, and an unusual one as the document has it', () => {
    expect(operation('getThing').rateLimit).toBe('1,200 requests per minute');
    expect(operation('bot').rateLimit).toBe('2 a day');
    expect(operation('putThing').rateLimit).toBeUndefined();
  });

  test('a schema that contains itself ends', () => {
    expect(JSON.stringify(operation('putThing').body?.schema).length).toBeLessThan(20_000);
  });

  test('a union of constants reads as a closed list, and a nullable value as one shape', () => {
    const fields = operation('putThing').body?.schema.fields ?? [];
    const [kind, size, note] = fields.map(({ schema }) => schema);
    expect(kind?.allowed).toEqual(['leaf', 'branch']);
    expect(size?.limits).toEqual(['at least 1']);
    expect(note).toMatchObject({ types: ['string', 'null'], label: 'string or null', variants: [] });
  });

  test('only credentials that a page can send are offered', () => {
    expect(reference.credentials.map(({ id, kind }) => [id, kind])).toEqual([
      ['key', 'api-key'],
      ['bot', 'bearer'],
    ]);
  });

  test('of a foreign server only the path is taken', () => {
    expect(reference.basePath).toBe('/base');
  });
});

describe('building a request', () => {
  test('path and query values are encoded, lists are repeated, empty ones are left out', () => {
    expect(request('putThing', {}, { 'query:tag': 'a, b&c' }).url).toBe(
      'http://here/things/a%20b%2Fc?tag=a&tag=b%26c',
    );
    expect(request('putThing', {}).url).toBe('http://here/things/a%20b%2Fc');
  });

  test('each operation gets the credential it asks for and no other', () => {
    const both = { key: 'k', bot: 't' };
    const headersOf = (id: string, credentials: CredentialValues) =>
      request(id, credentials).headers.map(({ name, value }) => `${name}: ${value}`);
    expect(headersOf('bot', both)).toEqual(['authorization: Bearer t']);
    expect(headersOf('putThing', both)).toEqual(['x-api-key: k', 'content-type: application/json']);
    expect(headersOf('getThing', {})).toEqual([]);
    expect(headersOf('getThing', both)).toEqual(['x-api-key: k']);
  });

  test('the example of an optional header is not sent unasked', () => {
    expect(request('putThing', {}).headers.map(({ name }) => name)).not.toContain('Once');
  });

  test('a missing path value and a broken body are faults', () => {
    const faults = findFaults(operation('putThing'), { parameters: { 'path:id': '' }, body: '{' });
    expect(Object.keys(faults)).toEqual(['path:id', 'body']);
  });

  test('a body that is not JSON only has to be there', () => {
    const { body, ...rest } = operation('putThing');
    if (!body) throw new Error('putThing has a body');
    const lines = { ...rest, body: { ...body, contentType: 'application/x-ndjson' } };
    const parameters = { 'path:id': '1' };
    expect(findFaults(lines, { parameters, body: '{"a":1}\n{"a":2}' })).toEqual({});
    expect(findFaults(lines, { parameters, body: ' ' })).toEqual({ body: 'A body is needed' });
  });
});

test('search finds operations by all of its words, and nothing for a strange one', () => {
  const found = searchGroups(reference.groups, 'PUT thing');
  expect(found.flatMap(({ operations }) => operations.map(({ id }) => id))).toEqual(['putThing']);
  expect(searchGroups(reference.groups, 'zzz')).toEqual([]);
});

test("every operation of the service's own document can be shown and tried as it stands", () => {
  const path = new URL('../../docs/openapi.json', import.meta.url);
  const { groups } = readDocument(JSON.parse(readFileSync(path, 'utf8')));
  const operations = groups.flatMap((group) => group.operations);
  expect(operations.length).toBeGreaterThanOrEqual(6);
  for (const candidate of operations) {
    expect(candidate.summary, candidate.id).not.toBe('');
    expect(candidate.responses.length, candidate.id).toBeGreaterThan(0);
    expect(findFaults(candidate, initialValues(candidate)), candidate.id).toEqual({});
  }
});
