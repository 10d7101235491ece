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
const OVERLOAD_MS = 1_500;
/** The guard looks this often at how long the event loop was held up since the last look. */
const LOOK_MS = 1_000;
/** Longer than the interval at which the event loop's delay is measured, so that each turn has a measurement. */
const TURN_MS = 20;

let service: FilledService;

// The guard's timer is held, and it looks when the test says so. Otherwise the next look, a second later, could end the
// overload while a slow machine is still busy with the requests that have to be refused.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(seemingUsage);
  service = await startFilledService({}, { eventLoopDelayMaxMs: undefined });
});
afterAll(async () => {
  await service.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The simulated CPU time of the thread. Its real CPU time depends on the machine's other processes. */
const worked = { ms: 0, sinceMs: performance.now(), share: 0 };

function seemingUsage(): NodeJS.CpuUsage {
  const ms = worked.ms + (performance.now() - worked.sinceMs) * worked.share;
  return { user: ms * 1_000, system: 0 };
}

function setWorkedShare(share: number): void {
  worked.ms += (performance.now() - worked.sinceMs) * worked.share;
  worked.sinceMs = performance.now();
  worked.share = share;
}

/** Holds up the event loop for real, and then lets it go on for one turn. */
async function holdUp(ms: number): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  await nextTurn();
}

/** Lets the guard look at one turn of the event loop, which takes this long and for this share of it works. */
async function lookAtTurn(ms: number, workedShare: number): Promise<void> {
  // Immediates run at the end of a turn. From there to the end of the next turn the delay is measured exactly once.
  await nextTurn();
  vi.advanceTimersByTime(LOOK_MS);
  setWorkedShare(workedShare);
  // The first measurement after a look has nothing to compare with, and only marks where the second one begins.
  await holdUp(TURN_MS);
  await holdUp(ms);
  vi.advanceTimersByTime(LOOK_MS);
}

const overload = () => lookAtTurn(OVERLOAD_MS, 0.9);

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
  await lookAtTurn(TURN_MS, 0.9);
  expect(await statusOf('/readyz')).toBe(200);
  expect(await statusOf('/commands')).toBe(200);
  await overload();
  expect(await statusOf('/commands')).toBe(503);
  expect(await statusOf('/readyz')).toBe(200);
});

test('a service whose machine is busy with other programs refuses nothing', async () => {
  await lookAtTurn(OVERLOAD_MS, 0.1);
  expect(await statusOf('/commands')).toBe(200);
  // On a machine of its own it would have been half as late.
  await lookAtTurn(OVERLOAD_MS, 0.5);
  expect(await statusOf('/commands')).toBe(200);
  // So long that even a tenth of it is much work.
  await lookAtTurn(5 * OVERLOAD_MS, 0.1);
  expect(await statusOf('/commands')).toBe(200);
});
