import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const { limiter, setMs } = createLimiter();
  const bucket = { name: 'ledger', limit: 10, windowMs: 1_000 };

  /** So many subjects ask once each, a fifth of them in each second. */
  async function heapAfter(first: number, count: number): Promise<number> {
    for (let subject = first; subject < first + count; subject += 1) {
      setMs(subject * (5_000 / 20_000));
      await limiter.admit(bucket, `subject-${subject}`);
    }
    collectGarbage();
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  }

  const earlyBytes = await heapAfter(0, 20_000);
  const lateBytes = await heapAfter(20_000, 100_000);
  // Kept logs of 100,000 idle subjects are more than 10 MB; what two windows hold is far below.
  expect(lateBytes - earlyBytes).toBeLessThan(5_000_000);
});
