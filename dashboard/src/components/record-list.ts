import type { ReactNode } from 'react';
import type { Ordering } from './ordering.ts';

/** One fact of a record: a column of the table, a line of the card. The first column names the record. */
export interface Column<Row, SortBy extends string = string> {
  id: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** Under this name the column can be sorted. */
  sortBy?: SortBy;
  /** For names, which people read from A. */
  isAscendingFirst?: boolean;
  /** Numbers end where they end; moments and short words stay on one line. */
  kind?: 'text' | 'number' | 'line';
  /** On a card, stands beside its name instead of among the facts. */
  isCardAside?: boolean;
  /** Left out of one of the two forms, where the other one says it differently. */
  only?: 'table' | 'card';
}

export interface RecordListProps<Row, SortBy extends string = string> {
  /** What the list holds, for screen readers. */
  caption: string;
  rows: Row[];
  columns: readonly Column<Row, SortBy>[];
  idOf: (row: Row) => string;
  ordering?: Ordering<SortBy> | undefined;
  onOrder?: (ordering: Ordering<SortBy>) => void;
  /** Shows a record's details; without it rows are not for clicking. */
  onOpen?: (row: Row) => void;
  /** What is shown belongs to the previous question, and the answer to the present one is on its way. */
  isStale?: boolean;
  /** Rows stand close together. */
  isCompact?: boolean;
}
