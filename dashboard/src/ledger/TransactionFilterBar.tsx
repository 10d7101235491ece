import { Button, Input, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TransactionFilters } from '../api/transactions.ts';
import { FilterBar } from '../components/FilterBar.tsx';
import { FilterText } from '../components/FilterText.tsx';
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
import classes from './TransactionFilterBar.module.css';

const directionLabels: { value: Direction; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'deposits', label: 'Deposits' },
  { value: 'withdrawals', label: 'Withdrawals' },
];

interface TransactionFilterBarProps {
  filters: TransactionFilters;
  narrowedBy: number;
  sources: readonly string[];
  onChange: (changes: Partial<TransactionFilters>) => void;
  onClear: () => void;
  status: ReactNode;
  exportAddress: string;
  /** Further fields, such as the order of cards. */
  children?: ReactNode;
}

export function TransactionFilterBar(props: TransactionFilterBarProps) {
  const { filters, narrowedBy, sources, onChange, onClear, status, exportAddress, children } = props;
  const bounds = shownBounds(filters);
  const isImpossible = isContradiction(filters);
  return (
    <FilterBar
      status={status}
      narrowedBy={narrowedBy}
      onClear={onClear}
      actions={!isImpossible && <ExportLink address={exportAddress} />}
    >
      <Input.Wrapper label="Direction" labelElement="div" className={classes.direction ?? ''}>
        <SegmentedControl
          aria-label="Direction"
          fullWidth
          data={directionLabels}
          value={directionOf(filters)}
          // The control knows only texts; those it offers are directions.
          onChange={(value) => onChange(withDirection(filters, value as Direction))}
        />
      </Input.Wrapper>
      <FilterText
        label="Source"
        value={filters.from}
        onChange={(from) => onChange({ from })}
        suggestions={sources}
      />
      <FilterText
        label="Amount from"
        inputMode="decimal"
        value={bounds.minAmount}
        faultOf={boundFault}
        onChange={(text) => onChange(withMinimum(filters, text))}
      />
      <FilterText
        label="Amount up to"
        inputMode="decimal"
        value={bounds.maxAmount}
        faultOf={boundFault}
        error={isImpossible && 'Less than “Amount from”'}
        onChange={(text) => onChange(withMaximum(filters, text))}
      />
      {children}
    </FilterBar>
  );
}

function ExportLink({ address }: { address: string }) {
  return (
    <Button
      component="a"
      href={address}
      download
      variant="default"
      size="compact-sm"
      className={classes.export ?? ''}
      leftSection={<IconDownload size={15} stroke={1.7} />}
    >
      Export CSV
    </Button>
  );
}
