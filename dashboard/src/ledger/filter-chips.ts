import { t } from '@lingui/core/macro';
import type { TransactionFilters } from '../api/transaction-listing.ts';
import { type DateRange, noRange, type RangeValues } from '../components/date-range.ts';
import { formatMoney } from '../components/money.ts';
import { directionOf, shownBounds, withDirection, withMaximum, withMinimum } from './amount-filter.ts';

type Changes = Partial<TransactionFilters & RangeValues & { search: string }>;

/** An active filter, and the change that removes it. */
export interface FilterChip {
  label: string;
  value: string;
  without: Changes;
}

interface ChipInput {
  filters: TransactionFilters;
  search: string;
  /** Absent when the page shows its range elsewhere. */
  range?: DateRange | undefined;
}

/** The active filters of a list of transactions, in the order of their fields. */
export function chipsOf({ filters, search, range }: ChipInput): FilterChip[] {
  const { minAmount, maxAmount } = shownBounds(filters);
  const direction = directionOf(filters);
  const chips: (FilterChip | false)[] = [
    range !== undefined &&
      range.preset !== 'all' && { label: t`Date range`, value: range.label, without: noRange },
    search !== '' && { label: t`Search`, value: search, without: { search: '' } },
    // A smallest amount includes the direction: its own chip is enough.
    direction !== 'all' &&
      minAmount === '' && {
        label: t`Direction`,
        value: direction === 'deposits' ? t`Deposits` : t`Withdrawals`,
        without: withDirection(filters, 'all'),
      },
    filters.from !== '' && { label: t`Source`, value: filters.from, without: { from: '' } },
    minAmount !== '' && {
      label: t`Amount from`,
      value: formatMoney(minAmount),
      without: withDirection(withMinimum(filters, ''), 'all'),
    },
    maxAmount !== '' && {
      label: t`Amount up to`,
      value: formatMoney(maxAmount),
      without: withMaximum(filters, ''),
    },
  ];
  return chips.filter((chip) => chip !== false);
}
