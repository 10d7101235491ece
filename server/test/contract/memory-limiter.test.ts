import { queryObjects } from 'node:v8';
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
  const { limiter, setMs } = createLimiter();
  const bucket = { name: 'ledger', limit: 10, windowMs: 1_000 };
  const [subjects, perSecond] = [100_000, 4_000];
  const before = countLogs();
  for (let subject = 0; subject < subjects; subject += 1) {
    setMs(subject * (bucket.windowMs / perSecond));
    await limiter.admit(bucket, `subject-${subject}`);
  }
  // Those of the present window and of the one before.
  expect(countLogs() - before).toBeLessThanOrEqual(2 * perSecond + 2);
  // The limiter is still in use here, or it would not be counted either.
  expect(await limiter.admit(bucket, 'subject-0')).toMatchObject({ admitted: true });
});

/** Each subject's log is one such array. Unlike the heap's size, their number does not depend on the rest of the process. */
function countLogs(): number {
  return queryObjects(Float64Array, { format: 'count' });
}

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
