import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG_TEST } from '../support/patience.ts';
import { requestText, sendRaw } from '../support/raw-http.ts';
import { ENDPOINT_CASES, type FilledService } from './filled-service.ts';
import {
  fieldOfSchema,
  type OpenApiDocument,
  type Operation,
  startDocumentedService,
} from './openapi-document.ts';

// The service accepts and refuses values as the document says.

let service: FilledService;
let document: OpenApiDocument;
let port: number;

beforeAll(async () => {
  ({ service, document, port } = await startDocumentedService());
});
afterAll(() => service.stop());

const fieldOf = (name: string, field: string) => fieldOfSchema(document, name, field);
const operationsOf = (): [name: string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );

test('the amount of a payment is above zero', async () => {
  expect(fieldOf('NewPayment', 'amount').exclusiveMinimum).toBe(0);
  const pay = (amount: number) =>
    service.ask({
      method: 'POST',
      url: '/guild/payments',
      payload: { fromPlayerId: 'a', toPlayerId: 'b', amount, name: 'n', source: 's' },
    });
  for (const amount of [0, -0.0001, -5]) {
    const { status, body } = await pay(amount);
    expect([status, body.message]).toEqual([400, 'Bad request - amount must be a number above zero']);
  }
  expect((await pay(0.0001)).status).toBe(200);
});

test.each([
  [
    'headers that are too large',
    {
      bytes: requestText('GET /guild/key HTTP/1.1', [`x-long: ${'x'.repeat(17_000)}`]),
      status: 431,
      code: 'headers_too_large',
      message: 'Request header fields too large',
    },
  ],
  [
    'an expectation that nobody can meet',
    {
      bytes: requestText('GET /guild/key HTTP/1.1', ['expect: a-miracle']),
      status: 417,
      code: 'expectation_failed',
      message: 'Expectation failed',
    },
  ],
  [
    'a head that arrives late',
    {
      bytes: 'GET /guild/key HTTP/1.1\r\nhost: x',
      status: 408,
      code: 'request_timeout',
      message: 'Request timeout',
    },
  ],
])(
  'every operation documents %s, as it is answered',
  LONG_TEST,
  async (_name, { bytes, status, code, message }) => {
    const reply = await sendRaw(port, bytes);
    expect([reply.status, reply.text]).toEqual([status, JSON.stringify({ success: false, message })]);
    expect(reply.headers['x-request-id']).toBeDefined();
    for (const [name, { responses }] of operationsOf()) {
      const { headers, content } = responses[status] ?? { headers: {}, content: {} };
      expect([name, Object.keys(headers)]).toEqual([name, ['X-Request-Id']]);
      const { schema, examples } = content['application/json'] ?? { schema: {}, examples: {} };
      expect([name, schema]).toEqual([name, { $ref: '#/components/schemas/Error' }]);
      expect(examples[code]?.value).toEqual(JSON.parse(reply.text));
    }
  },
);

test('every operation documents how it treats query parameters that it does not know', () => {
  const named: string[] = [];
  for (const [name, { responses }] of operationsOf()) {
    const isNamed = 'X-Unknown-Parameters' in (responses[200]?.headers ?? {});
    const examples = responses[400]?.content['application/json']?.examples ?? {};
    expect([name, examples.unknown_parameter?.value.code]).toEqual([
      name,
      isNamed ? undefined : 'unknown_parameter',
    ]);
    if (isNamed) {
      named.push(name);
    }
  }
  expect(named).toHaveLength(ENDPOINT_CASES.length);
  expect(document.components.headers).toHaveProperty('X-Unknown-Parameters');
});
