import { t } from '@lingui/core/macro';
import { Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../access/use-may.ts';
import type { TransactionFilters } from '../api/transaction-listing.ts';
import { DateRangeField } from '../components/DateRangeField.tsx';
import type { DateRange, RangeValues } from '../components/date-range.ts';
import { ExportLink } from '../components/ExportLink.tsx';
import { FilterBar } from '../components/FilterBar.tsx';
import { FilterText } from '../components/FilterText.tsx';
import { lazily } from '../components/lazily.ts';
import { Segments } from '../components/Segments.tsx';
import { plainAmount, typedAmount } from '../components/typed-amount.ts';
import type { Applied } from '../components/use-draft.ts';
import {
  boundFault,
  type Direction,
  directionOf,
  isContradiction,
  shownBounds,
  withDirection,
  withMaximum,
  withMinimum,
} from './amount-filter.ts';
import { FilterChips } from './FilterChips.tsx';
import { chipsOf } from './filter-chips.ts';
import classes from './TransactionFilterBar.module.css';

const directionLabels = lazily((): { value: Direction; label: string }[] => [
  { value: 'all', label: t({ message: 'All', context: 'transactions' }) },
  { value: 'deposits', label: t`Deposits` },
  { value: 'withdrawals', label: t`Withdrawals` },
]);

interface TransactionFilterBarProps {
  filters: TransactionFilters;
  /** Absent when the page shows its range elsewhere. */
  range?: DateRange;
  nowMs: number;
  narrowedBy: number;
  sources: readonly string[];
  onChange: (changes: Partial<TransactionFilters & RangeValues>, applied?: Applied) => void;
  onClear: () => void;
  status: ReactNode;
  exportAddress: string;
  /** The person's own account, which they may export without a role. */
  isOwn?: boolean;
  /** The search text; without `onSearch` there is no search field. */
  search?: string;
  onSearch?: (text: string, applied: Applied) => void;
  /** Further actions, shown before the export. */
  actions?: ReactNode;
  /** Further fields, such as the order of cards. */
  children?: ReactNode;
}

export function TransactionFilterBar(props: TransactionFilterBarProps) {
  const { filters, range, nowMs, narrowedBy, sources, onChange, onClear, status, exportAddress, children } =
    props;
  const mayExport = useMay('export') || props.isOwn === true;
  const bounds = shownBounds(filters);
  const isImpossible = isContradiction(filters);
  return (
    <FilterBar
      status={status}
      narrowedBy={narrowedBy}
      onClear={onClear}
      chips={
        <FilterChips
          chips={chipsOf({ filters, search: props.search ?? '', range })}
          onChange={({ search, ...without }) => {
            if (search === undefined) onChange(without);
            else props.onSearch?.(search, { isReplacing: false });
          }}
        />
      }
      actions={
        <>
          {props.actions}
          {!isImpossible && mayExport && <ExportLink href={exportAddress} />}
        </>
      }
    >
      {props.onSearch && (
        <div className={classes.search}>
          <FilterText
            label={t`Search`}
            value={props.search ?? ''}
            placeholder={t`Name, source, player or id`}
            onChange={props.onSearch}
          />
        </div>
      )}
      {range && <DateRangeField label={t`Date range`} range={range} nowMs={nowMs} onChange={onChange} />}
      <Input.Wrapper label={t`Direction`} labelElement="div" className={classes.direction ?? ''}>
        <Segments
          aria-label={t`Direction`}
          fullWidth
          data={directionLabels()}
          value={directionOf(filters)}
          onChange={(direction) => onChange(withDirection(filters, direction))}
        />
      </Input.Wrapper>
      <div className={classes.amounts}>
        <FilterText
          label={t`Source`}
          value={filters.from}
          onChange={(from, applied) => onChange({ from }, applied)}
          suggestions={sources}
        />
        <FilterText
          label={t`Amount from`}
          inputMode="decimal"
          value={bounds.minAmount}
          toValue={plainAmount}
          toText={typedAmount}
          faultOf={boundFault}
          onChange={(amount, applied) => onChange(withMinimum(filters, amount), applied)}
        />
        <FilterText
          label={t`Amount up to`}
          inputMode="decimal"
          value={bounds.maxAmount}
          toValue={plainAmount}
          toText={typedAmount}
          faultOf={boundFault}
          error={isImpossible && t`Less than “Amount from”`}
          onChange={(amount, applied) => onChange(withMaximum(filters, amount), applied)}
        />
      </div>
      {children}
    </FilterBar>
  );
}
