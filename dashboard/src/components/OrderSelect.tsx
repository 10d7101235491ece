import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { Ordering } from './ordering.ts';
import { useIsNarrow } from './use-is-narrow.ts';

interface OrderSelectProps<SortBy extends string> {
  /** The labels of the two orders of each column, for example "Oldest first" and "Newest first". */
  labels: Record<SortBy, readonly [ascending: string, descending: string]>;
  ordering: Ordering<SortBy>;
  onOrder: (ordering: Ordering<SortBy>) => void;
}

/** Selects the order of records shown as cards, which have no headings to click on. */
export function OrderSelect<SortBy extends string>({ labels, ordering, onOrder }: OrderSelectProps<SortBy>) {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return null;
  // Object.keys returns string[]; the record's type has exactly these names.
  const columns = Object.keys(labels) as SortBy[];
  const options = columns.flatMap((sortBy) =>
    [true, false].map((isDescending) => ({
      value: `${sortBy} ${isDescending}`,
      label: labels[sortBy][isDescending ? 1 : 0],
      ordering: { sortBy, isDescending },
    })),
  );
  return (
    <NativeSelect
      label={t`Order`}
      data={options.map(({ value, label }) => ({ value, label }))}
      value={`${ordering.sortBy} ${ordering.isDescending}`}
      onChange={(event) => {
        const chosen = options.find(({ value }) => value === event.currentTarget.value);
        if (chosen) onOrder(chosen.ordering);
      }}
    />
  );
}
