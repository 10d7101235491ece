import { t } from '@lingui/core/macro';
import { parseMoney } from '../components/money.ts';
import { isDecimal } from '../components/search-filters.ts';
import { fileSigns, plainAmount } from '../components/typed-amount.ts';

// The interface filters by the signed amount: deposits are 0 and above, withdrawals 0 and below. People think of a
// direction and of sizes. These functions convert between the two.

export interface AmountFilter {
  minAmount: string;
  maxAmount: string;
}

export const directions = ['all', 'deposits', 'withdrawals'] as const;
export type Direction = (typeof directions)[number];

export function directionOf({ minAmount, maxAmount }: AmountFilter): Direction {
  if (minAmount !== '') return 'deposits';
  return isZero(maxAmount) ? 'withdrawals' : 'all';
}

export function withDirection(filter: AmountFilter, direction: Direction): AmountFilter {
  const maxAmount = isZero(filter.maxAmount) ? '' : filter.maxAmount;
  if (direction === 'withdrawals') return { minAmount: '', maxAmount: '0' };
  if (direction === 'all') return { minAmount: '', maxAmount };
  return { minAmount: filter.minAmount || '0', maxAmount };
}

/** The values of the two fields. Bounds that only express the direction are left out. */
export function shownBounds({ minAmount, maxAmount }: AmountFilter): AmountFilter {
  return {
    minAmount: isZero(minAmount) ? '' : minAmount,
    maxAmount: isZero(maxAmount) ? '' : maxAmount,
  };
}

export function withMinimum(filter: AmountFilter, minAmount: string): AmountFilter {
  if (minAmount === '') {
    return { minAmount: filter.minAmount === '' ? '' : '0', maxAmount: filter.maxAmount };
  }
  return { minAmount, maxAmount: isZero(filter.maxAmount) ? '' : filter.maxAmount };
}

export function withMaximum(filter: AmountFilter, maxAmount: string): AmountFilter {
  return { minAmount: filter.minAmount, maxAmount };
}

/** True when no amount can be within the bounds; the interface refuses such a filter. */
export function isContradiction({ minAmount, maxAmount }: AmountFilter): boolean {
  const min = parseMoney(minAmount);
  const max = parseMoney(maxAmount);
  return min !== undefined && max !== undefined && min > max;
}

export function boundFault(text: string): string | undefined {
  return text === '' || isDecimal(plainAmount(text, fileSigns)) ? undefined : t`A number such as 250 or 12.5`;
}

function isZero(text: string): boolean {
  return parseMoney(text) === 0n;
}
