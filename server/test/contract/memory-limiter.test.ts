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
