import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { untilTrue } from '../support/patience.ts';
import {
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  startFilledService,
} from './filled-service.ts';

const BLOCK_MS = 1_500;
const BLOCKS_MAX = 8;

/** Holds up the event loop for real, as too much work would. */
function blockEventLoop(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCK_MS);
}

/** Holds the event loop up until the service finds itself overloaded. */
async function overload(service: FilledService): Promise<void> {
  let status = 200;
  for (let block = 0; block < BLOCKS_MAX && status === 200; block += 1) {
    blockEventLoop();
    await nextTurn();
    status = (await service.send({ method: 'GET', url: '/commands' })).status;
  }
  expect(status).toBe(503);
}

test('an overloaded service refuses work before it begins, in the shape of each route, and still says that it is alive', async () => {
  const service = await startFilledService({}, { eventLoopDelayMaxMs: undefined });
  const before = service.countStored();
  const send = ({
    method,
    url,
    payload,
  }: Pick<(typeof ENDPOINT_CASES)[number], 'method' | 'url' | 'payload'>) =>
    service.send({ method, url, key: service.key, ...(payload && { payload }) });

  await overload(service);
  for (const endpoint of ENDPOINT_CASES) {
    const reply = await send(endpoint);
    const refusal = errorText('Service unavailable - overloaded, try again shortly', endpoint);
    expectRefusal(reply, 503, refusal);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  // People who sign in see a page, not a refusal in JSON.
  for (const path of [
    '/dashboard/api/sign-in?returnTo=%2Fdashboard%2Fx',
    '/dashboard/api/callback?state=a',
  ]) {
    const reply = await send({ method: 'GET', url: path });
    expect(reply.status).toBe(302);
    const expected = path.includes('returnTo') ? 'error=busy&returnTo=%2Fdashboard%2Fx' : 'error=busy';
    expect(reply.headers.location).toBe(`/dashboard/sign-in?${expected}`);
  }
  expect((await send({ method: 'GET', url: '/livez' })).status).toBe(200);
  expect(service.countStored()).toBe(before);
  await service.stop();
});

test('a service that its own start held up is ready once it is calm, and overload later on does not change that', async () => {
  const service = await startFilledService({}, { eventLoopDelayMaxMs: undefined });
  const isReady = async () => (await service.send({ method: 'GET', url: '/readyz' })).status === 200;
  await overload(service);
  expect(await isReady()).toBe(false);
  await untilTrue(isReady);
  expect((await service.send({ method: 'GET', url: '/commands' })).status).toBe(200);
  await overload(service);
  expect(await isReady()).toBe(true);
  await service.stop();
});
