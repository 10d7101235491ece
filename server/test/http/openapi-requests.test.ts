import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilledService, startFilledService } from './filled-service.ts';

// The service treats requests as the document says. `npm run check:fuzz` looks for differences at random; each test here is
// about one that it found.

interface Schema {
  format?: string;
  pattern?: string;
  maximum?: number;
  minimum?: number;
  uniqueItems?: boolean;
  oneOf?: { required: string[] }[];
  properties?: Record<string, Schema>;
}
interface Operation {
  parameters: { name: string; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
}

let service: FilledService;
let document: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

beforeAll(async () => {
  service = await startFilledService();
  document = (await service.send({ method: 'GET', url: '/openapi.json' })).body;
});
afterAll(() => service.stop());

function bodyOf(method: string, path: string): { required: boolean; schema: Schema } {
  const { requestBody } = document.paths[path]?.[method] ?? {};
  const { schema } = requestBody?.content['application/json'] ?? { schema: {} };
  return { required: requestBody?.required ?? false, schema };
}

async function statusOf(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<number> {
  service.clock.advance(1_001);
  return (await service.ask({ method, url, ...(payload && { payload }) })).status;
}

test('patterns name no lone surrogates and look neither ahead nor back, which Rust and Go cannot read', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(
    ([, text = '""']) => JSON.parse(text),
  );
  expect(patterns.length).toBeGreaterThan(100);
  expect(patterns.filter((pattern) => /\\u[dD][89a-fA-F]|\(\?[=!<]/.test(pattern))).toEqual([]);
});

test('a body without required fields may be absent, unless it needs one of several', async () => {
  expect(bodyOf('put', '/guild/webhooks/{webhookId}').required).toBe(false);
  expect(await statusOf('PUT', '/guild/webhooks/none')).toBe(404);
  expect(bodyOf('post', '/guild/transactions/{transactionId}/reversal').required).toBe(false);
  expect(await statusOf('POST', '/guild/transactions/none/reversal')).toBe(404);
  const { required, schema } = bodyOf('post', '/guild/webhooks/{webhookId}/replay');
  expect([required, schema.oneOf]).toEqual([true, [{ required: ['since'] }, { required: ['eventId'] }]]);
  const url = '/guild/webhooks/none/replay';
  const both = { since: '2026-06-01T00:00:00Z', eventId: 'evt_1' };
  expect([await statusOf('POST', url), await statusOf('POST', url, both)]).toEqual([400, 400]);
});

test('times in requests may leave the seconds out, so their format is not date-time', async () => {
  const requests = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ parameters, requestBody }) => JSON.stringify({ parameters, requestBody }));
  expect(requests.filter((text) => text.includes('"format":"date-time"'))).toEqual([]);
  expect(requests.filter((text) => text.includes('"format":"iso-date-time"')).length).toBeGreaterThan(5);
  expect(await statusOf('GET', '/guild/accounts/48213977?at=2026-01-01T00:00Z')).toBe(200);
});

test('amounts have the bounds that the document states', async () => {
  const { amount = {} } = document.components.schemas.NewTransaction?.properties ?? {};
  const { maximum = 0, minimum = 0 } = amount;
  const post = (given: number) =>
    statusOf('POST', '/guild/ledger', {
      ...{ playerId: `bounds-${given}`, name: 'n', quantity: 1, source: 's' },
      amount: given,
    });
  expect([await post(Math.floor(maximum)), await post(Math.ceil(minimum))]).toEqual([200, 200]);
  expect([await post(maximum + 1), await post(minimum - 1), await post(0)]).toEqual([400, 400, 400]);
  const listing = document.paths['/guild/ledger/{playerId}/transactions']?.get?.parameters ?? [];
  const bound = listing.find(({ name }) => name === 'maxAmount')?.schema.maximum;
  expect(bound).toBe(maximum);
  const list = (given: number) => statusOf('GET', `/guild/ledger/48213977/transactions?maxAmount=${given}`);
  expect([await list(Math.floor(maximum)), await list(maximum + 1)]).toEqual([200, 400]);
});

test('transactions are reversed once each, and the document says so', async () => {
  const { schema } = bodyOf('post', '/guild/reversals');
  expect(schema.properties?.transactionIds?.uniqueItems).toBe(true);
  const id = '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5d';
  expect(await statusOf('POST', '/guild/reversals', { transactionIds: [id, id] })).toBe(400);
});

test('the address of a webhook begins as its pattern says', async () => {
  const { url = {} } = document.components.schemas.NewWebhook?.properties ?? {};
  const pattern = new RegExp(url.pattern ?? '^$', 'u');
  const fitting = ['https://example.com', 'https://example.com:8443/a/b?c=d', 'http://127.0.0.1/'];
  const others = ['x', 'ftp://example.com', 'https://', 'https://a:b@example.com/', 'https://example.com/#a'];
  expect(fitting.filter((text) => !pattern.test(text))).toEqual([]);
  for (const text of others) {
    const body = { url: text, kind: 'standard', events: ['transaction.posted'] };
    expect([text, pattern.test(text), await statusOf('POST', '/guild/webhooks', body)]).toEqual([
      text,
      false,
      400,
    ]);
  }
});

test('a time that lies outside of the years 0 to 9999 in UTC is refused, as no answer could state it', async () => {
  const put = (date: string) =>
    statusOf('PUT', '/guild/records/transfers/edge', {
      ...{ playerId: 'p', name: 'n', from: 'f', to: 't', signed: 's' },
      date,
    });
  for (const date of ['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '9999-12-31T24:00Z']) {
    expect([date, await put(date)]).toEqual([date, 400]);
  }
  for (const date of ['0000-01-01T00:00:00-00:01', '9999-12-31T23:59:59.999Z']) {
    expect([date, await put(date)]).toEqual([date, 200]);
  }
});
