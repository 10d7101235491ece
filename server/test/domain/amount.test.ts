import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { decimalText, totalUnits, UNITS_MAX, unitsFromNumber } from '../../src/domain/ledger/amount.ts';
import { depth } from '../support/depth.ts';

/** The decimal of a count, computed on integers alone: the model that the code is held against. */
function exactText(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The double that a JSON parser makes of the decimal of a count. */
function parsed(units: bigint): number {
  return Number(exactText(units));
}

// From here up doubles lie further apart than 0.0001.
const SPARSE_UNITS = 2 ** 39 * 10_000;

// All of the range, with weight on small amounts and on where doubles become coarse.
const UNITS = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: -UNITS_MAX, max: UNITS_MAX }),
  fc.integer({ min: SPARSE_UNITS / 4, max: SPARSE_UNITS }),
  fc.integer({ min: -SPARSE_UNITS, max: -SPARSE_UNITS / 4 }),
  fc.integer({ min: SPARSE_UNITS, max: UNITS_MAX }),
);
const RUNS = { numRuns: depth({ normal: 2_000, deep: 10_000 }) };

function unitsOrRefusal(value: number): number | 'refused' {
  try {
    return unitsFromNumber('amount', value);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_input') {
      return 'refused';
    }
    throw error;
  }
}

describe('a JSON number becomes units', () => {
  it.each([
    [0.0001, 1],
    [-0.0001, -1],
    [0.1, 1_000],
    [12.5, 125_000],
    [1.005, 10_050],
    [4.35, 43_500],
    [1e-4, 1],
    [1e3, 10_000_000],
    [549_755_813_887.9999, 5_497_558_138_879_999],
    [308_581_262_964.6807, 3_085_812_629_646_807],
    [-308_581_262_964.6807, -3_085_812_629_646_807],
    [900_719_925_474, 9_007_199_254_740_000],
  ])('%d is taken exactly', (value, units) => {
    expect(unitsFromNumber('amount', value)).toBe(units);
  });

  it('exactly, for every decimal with at most four places that has a double of its own', () => {
    fc.assert(
      fc.property(UNITS, (units) => {
        const count = BigInt(units);
        const value = parsed(count);
        const isAmbiguous = parsed(count - 1n) === value || parsed(count + 1n) === value;
        expect(unitsOrRefusal(value)).toBe(isAmbiguous ? 'refused' : units);
      }),
      RUNS,
    );
  });

  it('and none is ambiguous below 2^39, so that there every such decimal is taken', () => {
    fc.assert(
      fc.property(fc.integer({ min: -SPARSE_UNITS + 1, max: SPARSE_UNITS - 1 }), (units) => {
        const count = BigInt(units);
        expect(parsed(count + 1n)).not.toBe(parsed(count));
      }),
    );
  });

  it('or is refused: what is taken is the number itself, never a rounded one', () => {
    const anyNumber = fc.oneof(
      fc.double(),
      fc.double({ min: -1e6, max: 1e6 }),
      fc.double({ min: -1e12, max: 1e12 }),
    );
    fc.assert(
      fc.property(anyNumber, (value) => {
        const units = unitsOrRefusal(value);
        if (units !== 'refused') {
          expect(parsed(BigInt(units)) === value).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('and is refused with a fifth decimal place', () => {
    const wholeMax = 2 ** 33;
    fc.assert(
      fc.property(
        fc.integer({ min: -wholeMax, max: wholeMax }),
        fc.integer({ min: 0, max: 9_999 }),
        fc.integer({ min: 1, max: 9 }),
        (whole, fourPlaces, fifth) => {
          const text = `${whole}.${String(fourPlaces).padStart(4, '0')}${fifth}`;
          expect(unitsOrRefusal(Number(text))).toBe('refused');
        },
      ),
      RUNS,
    );
  });

  it.each([
    [0.00001, 'amount must have at most 4 decimal places'],
    [0.1 + 0.2, 'amount must have at most 4 decimal places'],
    [900_719_925_475, 'amount is out of range'],
    [-1e21, 'amount is out of range'],
    [Number.MAX_VALUE, 'amount is out of range'],
    [Number.POSITIVE_INFINITY, 'amount is out of range'],
    [Number.NaN, 'amount is out of range'],
  ])('%d is refused with the reason', (value, detail) => {
    const refusal = expect.objectContaining({ code: 'invalid_input', detail });
    expect(() => unitsFromNumber('amount', value)).toThrow(refusal);
  });

  it('a large number that stands for two decimals is refused, naming the field', () => {
    const value = 900_000_000_000.0002;
    expect(JSON.parse('900000000000.0003')).toBe(value);
    const refusal = expect.objectContaining({ detail: 'minAmount has more digits than can be kept exactly' });
    expect(() => unitsFromNumber('minAmount', value)).toThrow(refusal);
  });

  it('a negative zero is zero', () => {
    expect(Object.is(unitsFromNumber('amount', -0), 0)).toBe(true);
  });
});

describe('units become decimal text', () => {
  it('exactly, over the whole range, as JSON understands it', () => {
    fc.assert(
      fc.property(UNITS, (units) => {
        const text = decimalText(units);
        expect(text).toBe(exactText(BigInt(units)));
        expect(JSON.parse(text)).toBe(parsed(BigInt(units)));
      }),
      RUNS,
    );
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [1, '0.0001'],
    [-1, '-0.0001'],
    [10_000, '1'],
    [-12_340, '-1.234'],
    [UNITS_MAX, '900719925474.0991'],
    [-UNITS_MAX, '-900719925474.0991'],
    [UNITS_MAX - 991, '900719925474'],
  ])('%d is %s', (units, text) => {
    expect(decimalText(units)).toBe(text);
  });
});

describe('amount times quantity', () => {
  it('is exact, or refused when it leaves the range', () => {
    const quantity = fc.oneof(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 2_147_483_647 }),
      fc.integer({ min: 1, max: UNITS_MAX }),
    );
    fc.assert(
      fc.property(UNITS, quantity, (amountUnits, count) => {
        const exact = BigInt(amountUnits) * BigInt(count);
        const isInRange = exact <= BigInt(UNITS_MAX) && exact >= -BigInt(UNITS_MAX);
        if (isInRange) {
          expect(BigInt(totalUnits(amountUnits, count))).toBe(exact);
        } else {
          expect(() => totalUnits(amountUnits, count)).toThrow('amount times quantity is out of range');
        }
      }),
      RUNS,
    );
  });

  it.each([1, -1])('reaches the end of the range and not one further (%d)', (sign) => {
    expect(totalUnits(sign * UNITS_MAX, 1)).toBe(sign * UNITS_MAX);
    expect(() => totalUnits(sign * 2 ** 52, 2)).toThrow('out of range');
    expect(totalUnits(sign * (2 ** 52 - 1), 2)).toBe(sign * (2 ** 53 - 2));
  });
});
