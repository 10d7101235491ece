import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openStoreFile } from '../support/read-store.ts';
import { transactionBody } from '../support/service.ts';
import {
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  MARK,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

/** The number of the log level from which on someone should look. */
const WARN = 40;

let service: FilledService;

beforeAll(async () => {
  service = await startStillService();
});
afterAll(() => service.stop());

/**
 * A service that does nothing by itself. Every two seconds of real time a service writes down which keys were used, and
 * on a slow machine that happens in the middle of a test: a write more in its metrics, or a warning in its log.
 */
async function startStillService(): Promise<FilledService> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    return await startFilledService();
  } finally {
    // The interval that the service has set by now is forgotten, and never fires.
    vi.useRealTimers();
  }
}

/** The same for one test, which does something to it that others must not meet. */
async function startOwnService(): Promise<FilledService> {
  const own = await startStillService();
  onTestFinished(() => own.stop());
  return own;
}

const get = (url: string) => service.ask({ method: 'GET', url, key: undefined });

const UNAVAILABLE = errorText('Service unavailable - try again shortly');

describe('health', () => {
  test('a service that runs is alive and ready', async () => {
    expect(await get('/livez')).toMatchObject({ status: 200, text: '{"status":"alive"}' });
    expect(await get('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  });

  test('a service about to stop is alive but not ready, and goes on answering', async () => {
    const stopping = await startOwnService();
    stopping.stopAccepting();
    const ready = await stopping.ask({ method: 'GET', url: '/readyz' });
    expectRefusal(ready, 503, UNAVAILABLE);
    expect(ready.headers['retry-after']).toBe('5');
    expect((await stopping.ask({ method: 'GET', url: '/livez' })).status).toBe(200);
    for (const { method, url, payload, successText } of ENDPOINT_CASES) {
      const reply = await stopping.ask({ method, url, ...(payload && { payload }) });
      expect(reply.text).toBe(successText);
    }
  });

  test('without its store the service is alive but not ready, and says so in every shape', async () => {
    const broken = await startOwnService();
    await broken.store.close();
    expectRefusal(await broken.ask({ method: 'GET', url: '/readyz' }), 503, UNAVAILABLE);
    expect((await broken.ask({ method: 'GET', url: '/livez' })).status).toBe(200);
    for (const { method, url, payload, isBare } of ENDPOINT_CASES) {
      const reply = await broken.ask({ method, url, ...(payload && { payload }) });
      expectRefusal(reply, 503, errorText('Service unavailable - try again shortly', { isBare }));
      expect(reply.headers['retry-after']).toBe('1');
    }
  });
});

describe('metrics', () => {
  const value = (text: string, series: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? 0 : Number(line.slice(series.length + 1));
  };

  test.each([
    ['get discharge', 'route="/guild/discharges/{dischargeId}",method="GET",status="200"'],
    ['get transfer', 'route="/guild/transfers/{transferId}",method="GET",status="200"'],
    ['get verification', 'route="/users/{query}",method="GET",status="200"'],
    ['list commands', 'route="/commands",method="GET",status="200"'],
    ['post transaction', 'route="/guild/ledger",method="POST",status="200"'],
    ['list transactions', 'route="/guild/ledger/{playerId}/transactions",method="GET",status="200"'],
  ])('%s is counted by route, method and status, and timed', async (name, labels) => {
    const endpoint = ENDPOINT_CASES.find((one) => one.name === name);
    const series = `guildbook_http_requests_total{${labels}}`;
    const timed = `guildbook_http_request_duration_seconds_count{${labels.replace(/,status=.*/, '')}}`;
    const before = await service.metrics.text();
    const { method = 'GET', url = '', payload } = endpoint ?? {};
    await service.ask({ method, url, ...(payload && { payload }) });
    const after = await service.metrics.text();
    expect(value(after, series) - value(before, series)).toBe(1);
    expect(value(after, timed) - value(before, timed)).toBe(1);
  });

  test('refusals are counted under the route too, and addresses nobody knows under one name', async () => {
    const before = await service.metrics.text();
    await service.ask({ method: 'GET', url: `/users/${MARK}` });
    await get(`/users/${MARK}`);
    await get(`/${MARK}/a`);
    await get(`/${MARK}/b`);
    const text = await service.metrics.text();
    const grown = (labels: string) => {
      const series = `guildbook_http_requests_total{${labels}}`;
      return value(text, series) - value(before, series);
    };
    expect(grown('route="/users/{query}",method="GET",status="404"')).toBe(1);
    expect(grown('route="/users/{query}",method="GET",status="401"')).toBe(1);
    expect(grown('route="unknown",method="GET",status="404"')).toBe(2);
    expect(text).not.toContain(MARK);
  });

  test('commits, key look-ups, rate limits and the event loop have their metrics', async () => {
    const payload = transactionBody();
    const post = () => service.send({ method: 'POST', url: '/guild/ledger', key: service.key, payload });
    const before = await service.metrics.text();
    await Promise.all(Array.from({ length: 11 }, post));
    const text = await service.metrics.text();
    const grown = (series: string) => value(text, series) - value(before, series);

    expect(grown('guildbook_commit_batch_size_sum')).toBe(10);
    expect(grown('guildbook_commit_batch_size_count')).toBeGreaterThanOrEqual(1);
    expect(grown('guildbook_commit_duration_seconds_count')).toBe(grown('guildbook_commit_batch_size_count'));
    expect(grown('guildbook_key_lookups_total{result="hit"}')).toBeGreaterThanOrEqual(10);
    expect(value(text, 'guildbook_key_lookups_total{result="miss"}')).toBeGreaterThanOrEqual(1);
    expect(grown('guildbook_rate_limited_total{bucket="post-transaction"}')).toBe(1);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
    expect(text).not.toContain(service.key);
  });
});

test('every answer has a request id of its own, whatever the caller sends', async () => {
  const seen = new Set<unknown>();
  const urls = ['/', '/livez', '/readyz', '/openapi.json', '/commands', '/users/x', '/nowhere', '/dashboard'];
  for (const url of [...urls, ...urls]) {
    const headers = { 'x-request-id': MARK, 'request-id': MARK };
    const reply = await service.ask({ method: 'GET', url, headers });
    expect(reply.headers['x-request-id']).toMatch(/^[\w-]{8}-[0-9a-z]+$/);
    seen.add(reply.headers['x-request-id']);
  }
  expect(seen.size).toBe(urls.length * 2);
});

test('the root leads to the dashboard', async () => {
  for (const url of ['/', '/dashboard']) {
    const reply = await get(url);
    expect(reply.status).toBe(302);
    expect(reply.headers.location).toBe('/dashboard/');
  }
});

test('a file that the pages do not have is not found, and that answer is not kept', async () => {
  for (const name of [`${MARK}.js`, '', `${MARK}/`]) {
    const reply = await get(`/dashboard/assets/${name}`);
    expectRefusal(reply, 404, errorText('Not found'));
    expect(String(reply.headers['cache-control'] ?? '')).not.toContain('max-age');
  }
});

test('no address leads out of the folder of the pages', async () => {
  for (const name of ['%2e%2e%2f%2e%2e%2fpackage.json', '..%5c..%5cpackage.json', '%2fetc%2fpasswd', '%00']) {
    const reply = await get(`/dashboard/assets/${name}`);
    expectRefusal(reply, reply.status === 400 ? 400 : 404, /^\{"success":false,"message":"[^"]+"\}$/);
  }
});

test('a failure inside says nothing but that there was one, and is logged with its cause', async () => {
  const broken = await startOwnService();
  const db = openStoreFile(broken.file);
  db.exec('DROP TABLE discharge; DROP TABLE transfer;');
  db.close();
  const discharge = await broken.ask({ method: 'GET', url: '/guild/discharges/dis_1' });
  const transfer = await broken.ask({ method: 'GET', url: '/guild/transfers/trf_1' });
  expectRefusal(discharge, 500, errorText('Internal server error'));
  expectRefusal(transfer, 500, errorText('Internal server error', { isBare: true }));
  const logged = broken.logLines.filter((line) => line.includes('request failed'));
  expect(logged).toHaveLength(2);
  expect(logged[0]).toContain('no such table: discharge');
  expect(logged[0]).toContain(`"reqId":"${discharge.headers['x-request-id']}"`);
});

test('the log holds a line for each request, but never a key, a header, an address or a body', async () => {
  const logged = await startOwnService();
  // The start itself may warn, for example that the pages are not built.
  logged.logLines.length = 0;
  const unknown = (await makeFaultyKey(logged, 'unknown')) ?? '';
  const headers = {
    'user-agent': MARK,
    cookie: `session=${MARK}`,
    authorization: `Bearer ${MARK}`,
    referer: MARK,
  };
  const payload = transactionBody({ name: MARK, playerId: MARK });
  for (const key of [logged.key, unknown, MARK]) {
    await logged.ask({ method: 'POST', url: '/guild/ledger', key, headers, payload });
    await logged.ask({ method: 'GET', url: `/guild/ledger/${MARK}/transactions?from=${MARK}`, key, headers });
    await logged.ask({ method: 'GET', url: `/users/${MARK}?key=${key}`, key, headers });
    await logged.ask({ method: 'GET', url: `/${MARK}`, key, headers });
    await logged.ask({ method: 'GET', url: `/users/%zz${MARK}`, key, headers });
  }
  await logged.store.close();
  await logged.ask({ method: 'POST', url: '/guild/ledger', headers, payload });

  const text = logged.logLines.join('');
  expect(logged.logLines.filter((line) => line.includes('"msg":"request"'))).toHaveLength(16);
  expect(logged.logLines.filter((line) => JSON.parse(line).level >= WARN)).toHaveLength(1);
  for (const secret of [logged.key, logged.key.slice(12), unknown, unknown.slice(4), MARK]) {
    expect(text).not.toContain(secret);
  }
  expect(text.toLowerCase()).not.toMatch(/x-api-key|user-agent|authorization|cookie|referer/);
});
