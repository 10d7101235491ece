import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoText } from '../../src/domain/iso-text.ts';

const TIME_MAX_MS = 8.64e15;

describe('the text of a time', () => {
  it('is what Date writes, from the first to the last time there is', () => {
    const time = fc.integer({ min: -TIME_MAX_MS, max: TIME_MAX_MS });
    fc.assert(
      fc.property(time, fc.integer({ min: -90_000_000, max: 90_000_000 }), (timeMs, stepMs) => {
        for (const one of [timeMs, timeMs + stepMs, timeMs]) {
          if (Math.abs(one) <= TIME_MAX_MS) {
            expect(isoText(one)).toBe(new Date(one).toISOString());
          }
        }
      }),
    );
  });

  it('is right for days of which no two are kept at a time', () => {
    const dayMs = 86_400_000;
    for (const days of [20_000, 20_000 + 1_024, 20_000, 20_000 - 1_024, -20_000, 20_000 - 40 * 1_024]) {
      expect(isoText(days * dayMs + 1)).toBe(new Date(days * dayMs + 1).toISOString());
    }
  });

  it('is none for what is no time', () => {
    for (const timeMs of [Number.NaN, Number.POSITIVE_INFINITY, TIME_MAX_MS + 86_400_000]) {
      expect(() => isoText(timeMs)).toThrow(RangeError);
    }
  });

  it('is right at the edges of days, years and the range', () => {
    const edges = [
      0, -1, 86_399_999, 86_400_000, -62_167_219_200_000, -62_167_219_200_001, 253_402_300_800_000,
    ];
    for (const timeMs of [...edges, TIME_MAX_MS, -TIME_MAX_MS]) {
      expect(isoText(timeMs)).toBe(new Date(timeMs).toISOString());
    }
  });
});
