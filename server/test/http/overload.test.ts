import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  startFilledService,
} from './filled-service.ts';

/** Longer than the event loop may be held up. */
const OVERLOAD_MS = 1_200;
/** The guard looks this often at how long the event loop was held up since the last look. */
const LOOK_MS = 1_000;
/** Longer than the interval at which the event loop's delay is measured, so that each turn has a measurement. */
const TURN_MS = 20;

let service: FilledService;

// The guard's timer is held, and it looks when the test says so. Otherwise the next look, a second later, could end the
// overload while a slow machine is still busy with the requests that have to be refused.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  service = await startFilledService({}, { eventLoopDelayMaxMs: undefined });
});
afterAll(async () => {
  await service.stop();
  vi.useRealTimers();
});

/** Holds up the event loop for real, and then lets it go on for one turn. */
async function holdUp(ms: number, hold = work): Promise<void> {
  hold(ms);
  await nextTurn();
}

/** Uses the processor, as too much work would, for so long in processor time. */
function work(ms: number): void {
  const startMicroseconds = threadWorkMicroseconds();
  while (threadWorkMicroseconds() - startMicroseconds < ms * 1_000);
}

function threadWorkMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Does nothing for so long, as a thread that others leave no processor to. */
function starve(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Lets the guard look at one turn of the event loop, which takes this long. */
async function lookAtTurn(ms: number, hold = work): Promise<void> {
  // Immediates run at the end of a turn. From there to the end of the next turn the delay is measured exactly once.
  await nextTurn();
  vi.advanceTimersByTime(LOOK_MS);
  // The first measurement after a look has nothing to compare with, and only marks where the second one begins.
  await holdUp(TURN_MS, starve);
  await holdUp(ms, hold);
  vi.advanceTimersByTime(LOOK_MS);
}

const overload = () => lookAtTurn(OVERLOAD_MS);

const send = ({
  method,
  url,
  payload,
}: Pick<(typeof ENDPOINT_CASES)[number], 'method' | 'url' | 'payload'>) =>
  service.send({ method, url, key: service.key, ...(payload && { payload }) });
const statusOf = async (url: string) => (await send({ method: 'GET', url })).status;

test('an overloaded service refuses work before it begins, in the shape of each route, and still says that it is alive', async () => {
  const before = service.countStored();
  await overload();
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
  expect(await statusOf('/livez')).toBe(200);
  expect(service.countStored()).toBe(before);
});

test('a service that its own start held up is ready once it is calm, and overload later on does not change that', async () => {
  await overload();
  expect(await statusOf('/commands')).toBe(503);
  expect(await statusOf('/readyz')).toBe(503);
  await lookAtTurn(TURN_MS, starve);
  expect(await statusOf('/readyz')).toBe(200);
  expect(await statusOf('/commands')).toBe(200);
  await overload();
  expect(await statusOf('/commands')).toBe(503);
  expect(await statusOf('/readyz')).toBe(200);
});

test('a service whose machine is busy with other programs refuses nothing', async () => {
  await lookAtTurn(OVERLOAD_MS, starve);
  expect(await statusOf('/commands')).toBe(200);
});
