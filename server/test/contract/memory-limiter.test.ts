import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createMemoryLimiter } from '../../src/limiter/memory.ts';
import { describeLimiter } from './limiter-suite.ts';

function createLimiter() {
  let nowMs = 0;
  return {
    limiter: createMemoryLimiter({ monotonicMs: () => nowMs }),
    setMs(ms: number) {
      nowMs = ms;
    },
  };
}

describeLimiter('memory', async () => createLimiter());

it('forgets subjects that fell idle, so that memory does not grow with everyone who ever asked', async () => {
  const worker = new Worker(new URL('./memory-limiter-growth.ts', import.meta.url));
  const [{ kept, perSecond, admitted }] = await once(worker, 'message');
  // Those of the present window and of the one before.
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThanOrEqual(2 * perSecond + 2);
  expect(admitted).toBe(true);
});

it('with a share admits no more than that in a window, and counts what was admitted with the whole limit', () => {
  const { limiter, setMs } = createLimiter();
  const bucket = { name: 'ledger', limit: 10, windowMs: 1_000 };
  const admit = (share?: number) => limiter.admit(bucket, 'subject', share);
  setMs(1_000);
  expect([admit(3), admit(3), admit(3)].map(({ remaining }) => remaining)).toEqual([2, 1, 0]);
  setMs(1_400);
  expect(admit(3)).toEqual({ admitted: false, remaining: 0, resetAfterMs: 600 });
  expect(admit(5)).toEqual({ admitted: true, remaining: 1, resetAfterMs: 600 });
  expect(admit()).toEqual({ admitted: true, remaining: 5, resetAfterMs: 600 });
  expect(admit(2)).toEqual({ admitted: false, remaining: 0, resetAfterMs: 1_000 });
  setMs(2_001);
  expect(admit(3)).toEqual({ admitted: true, remaining: 0, resetAfterMs: 399 });
  expect(admit(0)).toEqual({ admitted: false, remaining: 0, resetAfterMs: 1_000 });
  setMs(5_000);
  expect(Array.from({ length: 12 }, () => admit(1)).filter(({ admitted }) => admitted)).toHaveLength(1);
});
