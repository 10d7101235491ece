import { DomainError } from '../errors.ts';

/**
 * Money is stored as an integer number of ten-thousandths, so that sums are exact. Every name that ends in `Units` is
 * such a number.
 */
export const UNITS_PER_WHOLE = 10_000;

/** The largest count that a JavaScript number holds exactly: about 900 billion whole units. */
export const UNITS_MAX = Number.MAX_SAFE_INTEGER;

const NEIGHBOURS = [-1, 0, 1];

/**
 * Converts a JSON number to units, or refuses it; it never rounds. A number is accepted when it is the double of
 * exactly one decimal with at most four places. Above 2^39 doubles lie further apart than 0.0001, so that some of
 * them represent two such decimals. Those are refused: which one was meant is unknown.
 */
export function unitsFromNumber(field: string, value: number): number {
  const near = Math.round(value * UNITS_PER_WHOLE);
  if (!Number.isSafeInteger(near)) {
    throw new DomainError('invalid_input', { detail: `${field} is out of range` });
  }
  let units: number | undefined;
  // The product above is rounded. From 2^38 on it may be off by one.
  for (const offset of NEIGHBOURS) {
    const count = near + offset;
    if (count / UNITS_PER_WHOLE === value) {
      if (units !== undefined) {
        throw new DomainError('invalid_input', {
          detail: `${field} has more digits than can be kept exactly`,
        });
      }
      units = count;
    }
  }
  if (units === undefined) {
    throw new DomainError('invalid_input', { detail: `${field} must have at most 4 decimal places` });
  }
  // Turns -0 into 0.
  return units === 0 ? 0 : units;
}

/** The fraction of each count of ten-thousandths as text: empty, or a point and digits without trailing zeros. */
const FRACTIONS = Array.from({ length: UNITS_PER_WHOLE }, (_unused, count) =>
  count === 0 ? '' : `.${String(count).padStart(4, '0').replace(/0+$/, '')}`,
);

/**
 * The exact decimal text of a count, without trailing zeros, valid as a JSON number. It uses integers only, so no
 * digit is lost.
 */
export function decimalText(units: number): string {
  const magnitude = Math.abs(units);
  const fraction = magnitude % UNITS_PER_WHOLE;
  const text = `${(magnitude - fraction) / UNITS_PER_WHOLE}${FRACTIONS[fraction]}`;
  return units < 0 ? `-${text}` : text;
}

/** The same for a sum, which may have any number of digits. */
export function sumText(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Amount times quantity, exact. Refuses a product outside of the exact range. */
export function totalUnits(amountUnits: number, quantity: number): number {
  const total = amountUnits * quantity;
  // A product out of range is at least 2^53 as a double too, so rounding cannot hide it.
  if (!Number.isSafeInteger(total)) {
    throw new DomainError('invalid_input', { detail: 'amount times quantity is out of range' });
  }
  return total;
}
