import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Admission, RateBucket, RateLimiter } from '../../src/domain/ports.ts';
import { depth } from '../support/depth.ts';

/** A limiter on time that the test sets. For an adapter with its own clock, `setMs` has to set that clock. */
export interface LimiterOnClock {
  limiter: RateLimiter;
  setMs(nowMs: number): void | Promise<void>;
}

export type CreateLimiter = () => Promise<LimiterOnClock>;

/** How many random cases of each property are tried: an adapter with a server behind it takes longer for each. */
const CASES = depth({ normal: 100, deep: 300 });

const BUCKET: RateBucket = { name: 'ledger', limit: 10, windowMs: 1_000 };

/** The limiter in the plainest words: the moments of all admitted requests, looked through anew each time. */
function createModel({ limit, windowMs }: RateBucket) {
  const admitted: number[] = [];
  return (nowMs: number): Admission => {
    const counted = () => admitted.filter((momentMs) => nowMs - momentMs <= windowMs);
    const isAdmitted = counted().length < limit;
    if (isAdmitted) {
      admitted.push(nowMs);
    }
    const [oldestMs = nowMs] = counted();
    return {
      admitted: isAdmitted,
      remaining: limit - counted().length,
      resetAfterMs: oldestMs + windowMs - nowMs,
    };
  };
}

// Steps that gather at the edges: together, just within, at, and just past a window or a tenth of it.
const STEP_MS = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 0, 0, 1, 99, 100, 101) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 150 }) },
  { weight: 1, arbitrary: fc.constantFrom(900, 999, 1_000, 1_001, 1_999, 2_000, 2_001) },
);
const MOMENTS = fc
  .array(STEP_MS, { minLength: 1, maxLength: 120, size: 'max' })
  .map((steps) =>
    steps.map((_, index) => 5_000 + steps.slice(0, index + 1).reduce((sum, ms) => sum + ms, 0)),
  );

export function describeLimiter(name: string, createLimiter: CreateLimiter, cases = CASES): void {
  describe(`the ${name} limiter`, () => {
    async function createWithAdmit(bucket = BUCKET, subject = 'key-1') {
      const { limiter, setMs } = await createLimiter();
      async function admitAt(nowMs: number, changes: { bucket?: RateBucket; subject?: string } = {}) {
        await setMs(nowMs);
        return limiter.admit(changes.bucket ?? bucket, changes.subject ?? subject);
      }
      return { admitAt };
    }

    it('never admits more than ten in any second, both ends included', async () => {
      await fc.assert(
        fc.asyncProperty(MOMENTS, async (moments) => {
          const { admitAt } = await createWithAdmit();
          const admitted: number[] = [];
          for (const momentMs of moments) {
            if ((await admitAt(momentMs)).admitted) {
              admitted.push(momentMs);
            }
          }
          // A fullest window begins at an admitted request: eleven in a row must span more than a second.
          for (const [index, momentMs] of admitted.entries()) {
            const eleventhMs = admitted[index + 10] ?? Number.POSITIVE_INFINITY;
            expect(eleventhMs - momentMs).toBeGreaterThan(1_000);
          }
        }),
        { numRuns: cases },
      );
    });

    it('admits whenever fewer than ten were admitted in the last second, and tells what is left and until when', async () => {
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(MOMENTS, async (moments) => {
          const { admitAt } = await createWithAdmit();
          const model = createModel(BUCKET);
          for (const momentMs of moments) {
            const expected = model(momentMs);
            refused += expected.admitted ? 0 : 1;
            expect(await admitAt(momentMs)).toEqual(expected);
          }
        }),
        { numRuns: cases },
      );
      expect(refused).toBeGreaterThan(0);
    });

    it('holds for any limit and window, and for fractions of a millisecond', async () => {
      const buckets = fc.record({
        name: fc.constant('any'),
        limit: fc.integer({ min: 1, max: 12 }),
        windowMs: fc.constantFrom(1, 10, 1_000),
      });
      // Quarters are exact in binary, so that the model and the limiter cannot differ by rounding.
      const quarters = fc.array(fc.integer({ min: 0, max: 60 }), {
        minLength: 1,
        maxLength: 60,
        size: 'max',
      });
      await fc.assert(
        fc.asyncProperty(buckets, quarters, async (bucket, steps) => {
          const { admitAt } = await createWithAdmit(bucket);
          const model = createModel(bucket);
          let nowMs = 100;
          for (const step of steps) {
            nowMs += step / 4;
            expect(await admitAt(nowMs)).toEqual(model(nowMs));
          }
        }),
        { numRuns: cases },
      );
    });

    it('counts down what is left, and up again as old requests leave the window', async () => {
      const { admitAt } = await createWithAdmit();
      const remaining: number[] = [];
      for (let request = 0; request < 10; request += 1) {
        remaining.push((await admitAt(1_000 + request * 100)).remaining);
      }
      expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
      expect(await admitAt(2_301)).toEqual({ admitted: true, remaining: 3, resetAfterMs: 99 });
    });

    it('does not count refused requests: asking all the time delays nothing', async () => {
      const { admitAt } = await createWithAdmit();
      for (let request = 0; request < 10; request += 1) {
        await admitAt(1_000);
      }
      for (let nowMs = 1_000; nowMs <= 2_000; nowMs += 10) {
        const refusal = { admitted: false, remaining: 0, resetAfterMs: 2_000 - nowMs };
        expect(await admitAt(nowMs)).toEqual(refusal);
      }
      expect((await admitAt(2_000.5)).admitted).toBe(true);
    });

    it('admits again as soon as more than the stated time has passed', async () => {
      const { admitAt } = await createWithAdmit();
      for (let request = 0; request < 10; request += 1) {
        await admitAt(1_000 + request * 50);
      }
      const refusal = await admitAt(1_700);
      expect(refusal).toEqual({ admitted: false, remaining: 0, resetAfterMs: 300 });
      expect((await admitAt(1_700 + refusal.resetAfterMs + 0.25)).admitted).toBe(true);
    });

    it('counts each subject and each bucket for itself', async () => {
      const { admitAt } = await createWithAdmit();
      const other: RateBucket = { ...BUCKET, name: 'listing' };
      for (let request = 0; request < 11; request += 1) {
        await admitAt(1_000);
      }
      expect((await admitAt(1_000)).admitted).toBe(false);
      expect((await admitAt(1_000, { subject: 'key-2' })).remaining).toBe(9);
      expect((await admitAt(1_000, { bucket: other })).remaining).toBe(9);
      expect((await admitAt(1_000, { bucket: other, subject: 'key-2' })).remaining).toBe(9);
      expect((await admitAt(1_000)).admitted).toBe(false);
    });

    it('keeps subjects and buckets apart whose names run into one another', async () => {
      const { admitAt } = await createWithAdmit();
      const pairs = [
        ['a', 'b:c'],
        ['a:b', 'c'],
        ['a', 'B:c'],
        ['a', 'b:c '],
      ] as const;
      for (const [bucketName, subject] of pairs) {
        const bucket = { ...BUCKET, name: bucketName };
        expect((await admitAt(1_000, { bucket, subject })).remaining).toBe(9);
      }
    });

    it('is exact for many subjects at once, whatever the order of their requests', async () => {
      const requests = fc.array(fc.record({ subject: fc.integer({ min: 0, max: 4 }), stepMs: STEP_MS }), {
        minLength: 1,
        maxLength: 150,
        size: 'max',
      });
      await fc.assert(
        fc.asyncProperty(requests, async (all) => {
          const { admitAt } = await createWithAdmit();
          const models = Array.from({ length: 5 }, () => createModel(BUCKET));
          let nowMs = 1_000;
          for (const { subject, stepMs } of all) {
            nowMs += stepMs;
            expect(await admitAt(nowMs, { subject: `key-${subject}` })).toEqual(models[subject]?.(nowMs));
          }
        }),
        { numRuns: Math.ceil(cases / 2) },
      );
    });
  });
}
