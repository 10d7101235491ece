import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenOnFreePort } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import {
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

const LIMITED = errorText('Too many requests - limit is 10 requests per second');
const THROTTLED = errorText('Too many requests - too many failed authentications');
const UNAUTHORIZED = errorText('Unauthorized - invalid API key');

let service: FilledService;
let address: string;

beforeAll(async () => {
  service = await startFilledService();
  address = `http://127.0.0.1:${await listenOnFreePort(service.app)}`;
});
afterAll(() => service.stop());

const newKey = async () => (await service.addKey(GUILD_ID)).value;
const post = (key: string, payload: object = transactionBody()) =>
  service.send({ method: 'POST', url: '/guild/ledger', key, payload });
const list = (key: string, query = '') =>
  service.send({ method: 'GET', url: `/guild/ledger/p1/transactions${query}`, key });

async function statusesOf(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let request = 0; request < count; request += 1) {
    statuses.push((await send()).status);
  }
  return statuses;
}
const TEN_TIMES_200 = Array<number>(10).fill(200);

const ENDPOINTS = [
  {
    name: 'posting',
    request: (key: string) =>
      service.fetch(`${address}/guild/ledger`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(transactionBody()),
      }),
  },
  {
    name: 'listing',
    request: (key: string) =>
      service.fetch(`${address}/guild/ledger/p1/transactions`, { headers: { 'x-api-key': key } }),
  },
];

test.each(ENDPOINTS)(
  '$name: of eleven quick requests ten are answered and one is refused',
  async ({ request }) => {
    const key = await newKey();
    for (let remaining = 9; remaining >= 0; remaining -= 1) {
      const reply = await request(key);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ratelimit-limit')).toBe('10');
      expect(reply.headers.get('x-ratelimit-remaining')).toBe(String(remaining));
      expect(Number(reply.headers.get('x-ratelimit-reset-after'))).toBeCloseTo(1, 2);
      expect(reply.headers.has('retry-after')).toBe(false);
    }
    const refused = await request(key);
    const headers = Object.fromEntries(refused.headers);
    expectRefusal({ ...refused, headers }, 429, LIMITED);
    expect(headers['x-ratelimit-limit']).toBe('10');
    expect(headers['x-ratelimit-remaining']).toBe('0');
    expect(Number(headers['x-ratelimit-reset-after'])).toBeCloseTo(1, 2);
    // Whole seconds, rounded up, so that waiting them is never too short.
    expect(headers['retry-after']).toBe(String(Math.ceil(Number(headers['x-ratelimit-reset-after']))));
  },
);

test('eleven posts at once are ten posts', async () => {
  const key = await newKey();
  const before = service.countStored();
  const replies = await Promise.all(Array.from({ length: 11 }, () => post(key)));
  expect(replies.map(({ status }) => status).sort()).toEqual([...TEN_TIMES_200, 429]);
  expect(service.countStored() - before).toBe(10);
});

test('posting and listing are counted apart', async () => {
  const key = await newKey();
  expect(await statusesOf(11, () => post(key))).toEqual([...TEN_TIMES_200, 429]);
  expect(await statusesOf(11, () => list(key))).toEqual([...TEN_TIMES_200, 429]);
});

test('each key is counted apart, even within one guild', async () => {
  const [one, another] = [await newKey(), await newKey()];
  expect(await statusesOf(11, () => post(one))).toEqual([...TEN_TIMES_200, 429]);
  expect(await statusesOf(11, () => post(another))).toEqual([...TEN_TIMES_200, 429]);
});

test('no window of one second holds more than ten, wherever it begins', async () => {
  const key = await newKey();
  expect(await statusesOf(5, () => list(key))).toEqual(Array(5).fill(200));
  service.clock.advance(600);
  expect(await statusesOf(6, () => list(key))).toEqual([...Array(5).fill(200), 429]);
  service.clock.advance(401);
  // The first five are more than a second old, the second five are not.
  expect(await statusesOf(6, () => list(key))).toEqual([...Array(5).fill(200), 429]);
  service.clock.advance(600);
  expect(await statusesOf(6, () => list(key))).toEqual([...Array(5).fill(200), 429]);
});

test('a refused request does not count', async () => {
  const key = await newKey();
  await statusesOf(10, () => list(key));
  service.clock.advance(900);
  expect(await statusesOf(20, () => list(key))).toEqual(Array(20).fill(429));
  service.clock.advance(101);
  expect(await statusesOf(11, () => list(key))).toEqual([...TEN_TIMES_200, 429]);
});

test('whoever waits as long as the refusal says is admitted', async () => {
  const key = await newKey();
  await statusesOf(10, () => list(key));
  service.clock.advance(250);
  const refused = await list(key);
  expect(refused.status).toBe(429);
  service.clock.advance(Number(refused.headers['x-ratelimit-reset-after']) * 1_000);
  expect((await list(key)).status).toBe(200);

  const patient = await newKey();
  await statusesOf(10, () => list(patient));
  const again = await list(patient);
  service.clock.advance(Number(again.headers['retry-after']) * 1_000);
  expect((await list(patient)).status).toBe(200);
});

test('the wait that a refusal states shrinks as time goes by', async () => {
  const key = await newKey();
  await statusesOf(10, () => list(key));
  service.clock.advance(700);
  const reply = await list(key);
  expect(Number(reply.headers['x-ratelimit-reset-after'])).toBeCloseTo(0.3, 2);
  expect(reply.headers['retry-after']).toBe('1');
});

test('the limit comes before the parameters and the body, and faulty requests count', async () => {
  const key = await newKey();
  expect(await statusesOf(10, () => post(key, {}))).toEqual(Array(10).fill(400));
  expectRefusal(await post(key, {}), 429, LIMITED);
  expectRefusal(await post(key), 429, LIMITED);
  expect(await statusesOf(10, () => list(key, '?page=0'))).toEqual(Array(10).fill(400));
  expectRefusal(await list(key, '?page=0'), 429, LIMITED);
  expectRefusal(await list(key, '?page=%zz'), 429, LIMITED);
});

test('a body is not read once the limit is reached', async () => {
  const key = await newKey();
  await statusesOf(10, () => post(key));
  const headers = { 'content-type': 'text/plain' };
  const payload = 'x'.repeat(20_000);
  const reply = await service.send({ method: 'POST', url: '/guild/ledger', key, headers, payload });
  expectRefusal(reply, 429, LIMITED);
});

test('a key without the scope is refused for the scope and never counted', async () => {
  const { value } = await service.addKey(GUILD_ID, ['guild:read']);
  const replies = await statusesOf(30, () => post(value));
  expect(replies).toEqual(Array(30).fill(403));
  const reply = await post(value);
  expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
});

test('a bad key is refused as such and never counted', async () => {
  const expired = (await makeFaultyKey(service, 'expired')) ?? '';
  expect(await statusesOf(30, () => list(expired))).toEqual(Array(30).fill(401));
  expect((await list(expired)).headers).not.toHaveProperty('x-ratelimit-limit');
});

test('HEAD counts like GET', async () => {
  const key = await newKey();
  const url = '/guild/ledger/p1/transactions';
  await statusesOf(10, () => service.send({ method: 'HEAD', url, key }));
  expect((await list(key)).status).toBe(429);
});

const DISCHARGE_URL = '/guild/discharges/dis_1';
const fail = (remoteAddress: string, headers: Record<string, string> = {}) =>
  service.send({ method: 'GET', url: DISCHARGE_URL, remoteAddress, headers });

test('after a hundred failed authentications within a minute an address is told to slow down', async () => {
  expect(await statusesOf(100, () => fail('192.0.2.1'))).toEqual(Array(100).fill(401));
  const throttled = await fail('192.0.2.1');
  expectRefusal(throttled, 429, THROTTLED);
  expect(throttled.headers['retry-after']).toMatch(/^6[01]$/);

  const { key } = service;
  const valid = { method: 'GET', url: DISCHARGE_URL, key, remoteAddress: '192.0.2.1' } as const;
  expect((await service.send(valid)).status).toBe(200);
  expectRefusal(await fail('192.0.2.2'), 401, UNAUTHORIZED);

  service.clock.advance(59_000);
  expect((await fail('192.0.2.1')).headers['retry-after']).toMatch(/^[12]$/);
  service.clock.advance(1_001);
  expectRefusal(await fail('192.0.2.1'), 401, UNAUTHORIZED);
});

test('failures on all endpoints and with all kinds of keys are counted together', async () => {
  const send = (url: string, headers: Record<string, string>) =>
    service.send({ method: 'GET', url, headers, remoteAddress: '192.0.2.3' });
  for (let round = 0; round < 50; round += 1) {
    expect((await send('/users/x', {})).status).toBe(401);
    expect((await send('/guild/transfers/x', { 'x-api-key': `wrong ${round}` })).status).toBe(401);
  }
  expectRefusal(await send('/guild/ledger/x/transactions', {}), 429, THROTTLED);
});

test('a forged forwarding header does not make another address', async () => {
  const forged = (last: number) => ({
    'x-forwarded-for': `203.0.113.${last}`,
    forwarded: `for=203.0.113.${last}`,
  });
  for (let failure = 0; failure < 100; failure += 1) {
    expect((await fail('192.0.2.4', forged(failure))).status).toBe(401);
  }
  expectRefusal(await fail('192.0.2.4', forged(200)), 429, THROTTLED);
});

test('the addresses of one IPv6 network count as one', async () => {
  for (let failure = 0; failure < 100; failure += 1) {
    expect((await fail(`2001:db8:1:2::${failure.toString(16)}`)).status).toBe(401);
  }
  expectRefusal(await fail('2001:db8:1:2:ffff:ffff:ffff:ffff'), 429, THROTTLED);
  expectRefusal(await fail('2001:db8:1:3::1'), 401, UNAUTHORIZED);
});

describe('with other settings', () => {
  let other: FilledService;
  beforeAll(async () => {
    other = await startFilledService({ TRUST_PROXY: '10.0.0.0/8', COMMANDS_REQUIRE_KEY: 'true' });
  });
  afterAll(() => other.stop());

  test('behind a proxy that is trusted each forwarded address is counted apart', async () => {
    const send = (forwardedFor: string) =>
      other.send({
        method: 'GET',
        url: DISCHARGE_URL,
        remoteAddress: '10.1.2.3',
        headers: { 'x-forwarded-for': forwardedFor },
      });
    expect(await statusesOf(100, () => send('203.0.113.1'))).toEqual(Array(100).fill(401));
    expect((await send('203.0.113.1')).status).toBe(429);
    expect((await send('203.0.113.2')).status).toBe(401);
    expect((await send('203.0.113.2, 203.0.113.1')).status).toBe(429);
  });

  test('where the command list asks for a key, throttled failures carry success like its other errors', async () => {
    const send = () => other.send({ method: 'GET', url: '/commands' });
    expect(await statusesOf(100, send)).toEqual(Array(100).fill(401));
    expectRefusal(await send(), 429, THROTTLED);
  });
});
