import { t } from '@lingui/core/macro';
import { Input } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordQuery } from '../api/records.ts';
import { DayRangeField } from '../components/DayRangeField.tsx';
import { FilterBar } from '../components/FilterBar.tsx';
import { FilterText } from '../components/FilterText.tsx';
import { lazily } from '../components/lazily.ts';
import { OrderSelect } from '../components/OrderSelect.tsx';
import type { SearchFilters } from '../components/use-search-filters.ts';
import type { RecordKind } from './record-kinds.ts';

const orderLabels = lazily(
  (): Record<RecordQuery['sortBy'], [ascending: string, descending: string]> => ({
    date: [t`Oldest first`, t`Newest first`],
    name: [t`Name, from A`, t`Name, from Z`],
  }),
);

interface RecordFiltersProps {
  kind: RecordKind;
  filters: SearchFilters<RecordQuery>;
  types: readonly string[];
  status: string;
  actions: ReactNode;
}

export function RecordFilters({ kind, filters, types, status, actions }: RecordFiltersProps) {
  const { values, change, narrowedBy, clear } = filters;
  const dateLabel = kind.texts.date;
  return (
    <FilterBar status={status} narrowedBy={narrowedBy} onClear={clear} actions={actions}>
      <FilterText
        label={t`Search`}
        placeholder={t`Name, id or player`}
        value={values.query}
        onChange={(query, applied) => change({ query }, applied)}
      />
      {kind.hasType && (
        <FilterText
          label={t`Type`}
          placeholder={t`Any type`}
          value={values.type}
          suggestions={types}
          onChange={(type, applied) => change({ type }, applied)}
        />
      )}
      <Input.Wrapper label={dateLabel} labelElement="div">
        <DayRangeField
          label={dateLabel}
          since={values.since}
          until={values.until}
          onChange={change}
          isClearable
        />
      </Input.Wrapper>
      <OrderSelect
        labels={orderLabels()}
        ordering={{ sortBy: values.sortBy, isDescending: values.sortOrder === 'desc' }}
        onOrder={({ sortBy, isDescending }) => change({ sortBy, sortOrder: isDescending ? 'desc' : 'asc' })}
      />
    </FilterBar>
  );
}
