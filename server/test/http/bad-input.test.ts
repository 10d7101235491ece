import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transactionBody } from '../support/service.ts';
import {
  ENDPOINT_CASES,
  type EndpointCase,
  errorText,
  expectRefusal,
  type FilledService,
  MARK,
  startFilledService,
} from './filled-service.ts';

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

const JSON_TYPE = { 'content-type': 'application/json' };

function ask(endpoint: EndpointCase, changes: object = {}) {
  const { method, url, payload } = endpoint;
  return service.ask({ method, url, ...(payload && { payload }), ...changes });
}

/** The addresses with a parameter in their path, and what they answer where there is nothing. */
const WITH_PARAMETER = [
  {
    parameter: 'dischargeId',
    path: (value: string) => `/guild/discharges/${value}`,
    isBare: false,
    absent: () => errorText('Discharge not found'),
  },
  {
    parameter: 'transferId',
    path: (value: string) => `/guild/transfers/${value}`,
    isBare: true,
    absent: () => errorText('Transfer not found', { isBare: true }),
  },
  {
    parameter: 'query',
    path: (value: string) => `/users/${value}`,
    isBare: false,
    absent: () => errorText('User not found'),
  },
  {
    parameter: 'playerId',
    path: (value: string) => `/guild/ledger/${value}/transactions`,
    isBare: false,
    absent: (value: string) => ENDPOINT_CASES[5]?.successText.replace('nobody', value),
  },
];

describe.each(WITH_PARAMETER)('$parameter', ({ path, parameter, isBare, absent }) => {
  test.each([
    ['a NUL', `${MARK}%00`],
    ['a NUL alone', '%00'],
    ['a control character', `${MARK}%1B[31m`],
    ['a line break', `${MARK}%0D%0Ax-injected:1`],
    ['a C1 control character', `${MARK}%C2%85`],
    ['a DEL', `${MARK}%7F`],
    ['a line separator', `${MARK}%E2%80%A8`],
    ['a right-to-left mark', `${MARK}%E2%80%8F`],
    ['a right-to-left override', `%E2%80%AE${MARK}`],
    ['an isolate', `%E2%81%A6${MARK}`],
    ['far too many characters', MARK.repeat(1_000)],
  ])('may not hold %s', async (_what, value) => {
    const rule = `${parameter} must be text of 1 to \\d+ characters without control characters or direction marks`;
    const start = isBare ? '\\{"message"' : '\\{"success":false,"message"';
    const refusal = new RegExp(`^${start}:"Bad request - ${rule}"\\}$`);
    expectRefusal(await service.ask({ method: 'GET', url: path(value) }), 400, refusal);
  });

  test.each(['%', '%zz', `${MARK}%`, '%E0%A4%A', '%C3%28', '%ED%A0%80', '%F5%80%80%80', '%C0%80', '%u0041'])(
    'may not be %s, which does not decode',
    async (value) => {
      const refusal = errorText('Bad request - the address is not properly percent-encoded', { isBare });
      expectRefusal(await service.ask({ method: 'GET', url: path(value) }), 400, refusal);
    },
  );

  test('that does not decode is not minded before the key', async () => {
    const reply = await service.ask({ method: 'GET', url: path('%zz'), key: undefined });
    expectRefusal(reply, 401, errorText('Unauthorized - invalid API key', { isBare }));
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s is an id like any other, and here an absent one',
    async (value) => {
      const reply = await service.ask({ method: 'GET', url: path(value) });
      expect(reply.text).toBe(absent(value));
    },
  );
});

describe.each(ENDPOINT_CASES)('$name', (endpoint) => {
  const { url, isBare, scope } = endpoint;

  test.each(['x=%', 'x=%zz', `${MARK}=%E0%A4%A`, '%C3%28=1', 'page=1&limit=%'])(
    'refuses the query %s, which does not decode',
    async (query) => {
      const before = service.countStored();
      const reply = await ask(endpoint, { url: `${url}?${query}` });
      expectRefusal(
        reply,
        400,
        errorText('Bad request - the address is not properly percent-encoded', { isBare }),
      );
      expect(service.countStored()).toBe(before);
    },
  );

  test('checks the key before it minds an address that does not decode', async () => {
    const reply = await ask(endpoint, { url: `${url}?x=%zz`, key: undefined });
    const isPublic = scope === undefined;
    expect(reply.status).toBe(isPublic ? 400 : 401);
    const message = isPublic
      ? 'Bad request - the address is not properly percent-encoded'
      : 'Unauthorized - invalid API key';
    expect(reply.text).toBe(errorText(message, { isBare }));
  });

  test('ignores query parameters with the names of prototypes', async () => {
    const query = '__proto__=1&__proto__[x]=2&constructor[prototype][x]=3&toString=4&hasOwnProperty[]=5';
    const reply = await ask(endpoint, { url: `${url}?${query}` });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(endpoint.successText);
    expect(Object.prototype).not.toHaveProperty('x');
  });

  test.each(['OPTIONS', 'PATCH', 'PUT', 'DELETE', 'PROPFIND', 'TRACE', 'SEARCH', 'QUERY'])(
    'refuses %s in its own shape and names what it allows',
    async (method) => {
      const before = service.countStored();
      for (const key of [service.key, undefined]) {
        const reply = await service.ask({ method: method as 'GET', url, key, payload: transactionBody() });
        expectRefusal(reply, 405, errorText('Method not allowed', { isBare }));
        expect(reply.headers.allow).toBe(endpoint.method === 'POST' ? 'POST' : 'GET, HEAD');
      }
      expect(service.countStored()).toBe(before);
    },
  );

  test('refuses the method of the other kind', async () => {
    const method = endpoint.method === 'POST' ? 'GET' : 'POST';
    const before = service.countStored();
    const payload = method === 'POST' ? { payload: transactionBody() } : {};
    const reply = await service.ask({ method, url, ...payload });
    expectRefusal(reply, 405, errorText('Method not allowed', { isBare }));
    expect(service.countStored()).toBe(before);
  });

  test('refuses a wrong method before it minds a body', async () => {
    for (const payload of ['{', 'x'.repeat(20_000)]) {
      const reply = await service.ask({ method: 'PUT', url, headers: JSON_TYPE, payload });
      expectRefusal(reply, 405, errorText('Method not allowed', { isBare }));
    }
  });
});

test.each([
  '/nowhere',
  `/${MARK}`,
  `/${MARK}?a=b`,
  '/guild',
  '/guild/',
  '/guild/ledger/',
  '/guild/ledger/p1',
  '/guild/ledger/p1/',
  '/guild/ledger/p1/transactions/',
  `/guild/ledger/p1/transactions/${MARK}`,
  '/guild/discharges/dis_1/',
  '/guild/discharges//',
  '/guild/transfers/trf_1/extra',
  '/Guild/discharges/dis_1',
  '/commands/',
  '/COMMANDS',
  '/__proto__',
  '/constructor',
  '/%zz',
  '/%00',
  '/favicon.ico',
])('%s is a path that nobody knows, with or without a key and by any method', async (url) => {
  for (const key of [service.key, undefined]) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'] as const) {
      expectRefusal(await service.ask({ method, url, key }), 404, errorText('Not found'));
    }
  }
});
