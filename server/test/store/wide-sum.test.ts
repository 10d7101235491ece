import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addUnits, toUnits } from '../../src/store/ledger/wide-sum.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const UNITS = fc.oneof(
  fc.integer({ min: 0, max: MAX }),
  fc.constantFrom(0, 1, 2 ** 52 - 1, 2 ** 52, 2 ** 52 + 1, MAX - 1, MAX),
);

it('adds any safe integers exactly, however many, and keeps its lower part below 2^52', () => {
  fc.assert(
    fc.property(fc.array(UNITS, { maxLength: 3_000, size: 'max' }), (all) => {
      const sum = { high: 0, low: 0 };
      for (const units of all) {
        addUnits(sum, units);
        expect(sum.low).toBeGreaterThanOrEqual(0);
        expect(sum.low).toBeLessThan(2 ** 52);
      }
      expect(toUnits(sum)).toBe(all.reduce((total, units) => total + BigInt(units), 0n));
    }),
  );
});
