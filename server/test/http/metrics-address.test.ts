import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildMetricsApp } from '../../src/http/metrics-app.ts';
import { createTestClock } from '../support/clock.ts';
import { seriesOf } from '../support/metrics.ts';
import { listenOnFreePort, sendRaw } from '../support/raw-http.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let address: string;
let metricsAddress: string;
beforeAll(async () => {
  service = await startTestService();
  address = `http://127.0.0.1:${await listenOnFreePort(service.app)}`;
  metricsAddress = `http://127.0.0.1:${await listenOnFreePort(service.metricsApp)}`;
});
afterAll(() => service.stop());

test('the metrics are on an address of their own, and the main one answers 404', async () => {
  const reply = await fetch(`${metricsAddress}/metrics`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  expect(await reply.text()).toContain('# TYPE guildbook_build_info gauge');
  for (const method of ['GET', 'HEAD', 'POST']) {
    expect((await fetch(`${address}/metrics`, { method })).status).toBe(404);
  }
});

test('the address of the metrics serves nothing else', async () => {
  const head = await fetch(`${metricsAddress}/metrics`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = await fetch(`${metricsAddress}/metrics`, { method: 'POST', body: '{}' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  for (const path of [
    '/',
    '/livez',
    '/readyz',
    '/openapi.json',
    '/dashboard/',
    '/commands',
    '/metrics/',
    '/bot/x',
  ]) {
    expect([path, (await fetch(metricsAddress + path)).status]).toEqual([path, 404]);
  }
  const { port } = new URL(metricsAddress);
  expect((await sendRaw(Number(port), 'GET /metrics HTTP/1.1\r\nconnection: close\r\n\r\n')).status).toBe(
    400,
  );
});

/** A listener whose text is counted, and computed when the test says so. */
async function startCounted() {
  const clock = createTestClock();
  const compute = vi.fn<() => Promise<string>>();
  const app = buildMetricsApp({
    ...service,
    logger: pino({ level: 'silent' }),
    clock,
    readText: compute,
    isStopping: () => false,
  });
  const port = await listenOnFreePort(app);
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const scrape = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
    return { status: reply.status, text: await reply.text() };
  };
  return { app, clock, compute, scrape };
}

test('however many scrape, one computation serves them for a second', async () => {
  const { clock, compute, scrape } = await startCounted();
  compute.mockResolvedValueOnce('first\n').mockResolvedValueOnce('second\n');
  const replies = await Promise.all(Array.from({ length: 50 }, scrape));
  expect(replies).toEqual(replies.map(() => ({ status: 200, text: 'first\n' })));
  clock.advance(999);
  expect((await scrape()).text).toBe('first\n');
  expect(compute).toHaveBeenCalledTimes(1);
  clock.advance(1);
  expect((await scrape()).text).toBe('second\n');
});

test('a computation that takes long is not begun again, and one that fails is', async () => {
  const { app, clock, compute, scrape } = await startCounted();
  const { promise, reject } = Promise.withResolvers<string>();
  compute.mockReturnValueOnce(promise).mockResolvedValueOnce('again\n');
  const first = scrape();
  await once(app.server, 'request');
  clock.advance(60_000);
  const second = scrape();
  await once(app.server, 'request');
  expect(compute).toHaveBeenCalledTimes(1);
  reject(new Error('the supervisor does not answer'));
  expect([(await first).status, (await second).status]).toEqual([500, 500]);
  expect(await scrape()).toEqual({ status: 200, text: 'again\n' });
});

test('scrapes are counted, and a route without a request has no histogram', async () => {
  await fetch(`${metricsAddress}/metrics`);
  await fetch(`${address}/livez`);
  const text = await service.metrics.text();
  expect(
    seriesOf(text, 'guildbook_http_requests_total{route="/metrics",method="GET",status="200"}'),
  ).toBeGreaterThan(0);
  expect(text).toContain('guildbook_http_request_duration_seconds_count{route="/livez",method="GET"}');
  expect(text).not.toContain('route="/guild/ledger"');
});
