import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { nextOrdering, type Ordering } from './ordering.ts';
import classes from './SortHeader.module.css';

interface SortHeaderProps<SortBy extends string> {
  sortBy: SortBy;
  ordering: Ordering<SortBy> | undefined;
  onOrder: (ordering: Ordering<SortBy>) => void;
  /** For names, which are first sorted from A to Z. */
  isAscendingFirst?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** The heading of a sortable column. */
export function SortHeader<SortBy extends string>(props: SortHeaderProps<SortBy>) {
  const { sortBy, ordering, onOrder, isAscendingFirst = false, className, children } = props;
  const isSorted = ordering?.sortBy === sortBy;
  const direction = ordering?.isDescending ? 'descending' : 'ascending';
  const SortedIcon = ordering?.isDescending ? IconArrowDown : IconArrowUp;
  const Icon = isSorted ? SortedIcon : IconArrowsSort;
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : undefined}>
      <button
        type="button"
        className={classes.sort}
        data-sorted={isSorted || undefined}
        onClick={() => onOrder(nextOrdering(ordering, { sortBy, isAscendingFirst }))}
      >
        {children}
        <Icon size={14} stroke={1.8} aria-hidden="true" />
      </button>
    </th>
  );
}
