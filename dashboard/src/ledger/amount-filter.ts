import { parseMoney, withoutGroups } from '../components/money.ts';
import { isDecimal } from '../components/search-filters.ts';

// The interface compares with the signed amount: from 0 up are the deposits, up to 0 the withdrawals. People
// think of a direction and of sizes; this is how the one becomes the other.

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

/** What stands in the two fields: the bounds that only say the direction are not shown twice. */
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

/** Whether no amount can lie between the two; the interface refuses such a question. */
export function isContradiction({ minAmount, maxAmount }: AmountFilter): boolean {
  const min = parseMoney(minAmount);
  const max = parseMoney(maxAmount);
  return min !== undefined && max !== undefined && min > max;
}

export function boundFault(text: string): string | undefined {
  return text === '' || isDecimal(withoutGroups(text)) ? undefined : 'A number such as 250 or 12.5';
}

function isZero(text: string): boolean {
  return parseMoney(text) === 0n;
}
