/**
 * A sum that never overflows and never rounds: `high * 2^52 + low`, with low below 2^52. SQLite has a column for each
 * part, because one day of large transactions can exceed 64 bits.
 */
export interface WideSum {
  high: number;
  low: number;
}

const LOW_BITS = 52n;
const LOW_LIMIT = 2 ** 52;

/** Adds a safe integer that is not negative. */
export function addUnits(sum: WideSum, units: number): void {
  // Both are brought below 2^52 before they are added, because their sum must stay a safe integer.
  const carried = units >= LOW_LIMIT ? 1 : 0;
  const low = sum.low + (units - carried * LOW_LIMIT);
  const isFull = low >= LOW_LIMIT;
  sum.high += carried + (isFull ? 1 : 0);
  sum.low = isFull ? low - LOW_LIMIT : low;
}

export function toUnits({ high, low }: WideSum): bigint {
  return (BigInt(high) << LOW_BITS) + BigInt(low);
}

export function splitUnits(units: bigint): WideSum {
  return { high: Number(units >> LOW_BITS), low: Number(BigInt.asUintN(Number(LOW_BITS), units)) };
}
