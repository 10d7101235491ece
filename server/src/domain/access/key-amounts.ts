import { decimalText } from '../ledger/amount.ts';
import type { KeyLimits } from '../model.ts';

/** Limits as the interface shows them, exactly as they were given. */
export function toKeyLimits({ amountMaxUnits, withdrawnPerDayMaxUnits }: KeyLimits): {
  amountMax: number | null;
  withdrawnPerDayMax: number | null;
} {
  return { amountMax: toNumber(amountMaxUnits), withdrawnPerDayMax: toNumber(withdrawnPerDayMaxUnits) };
}

function toNumber(units: number | undefined): number | null {
  return units === undefined ? null : Number(decimalText(units));
}
