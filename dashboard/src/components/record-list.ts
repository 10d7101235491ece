import type { ReactNode } from 'react';
import type { Ordering } from './ordering.ts';

/** One field of a record: a column of the table, a line of the card. The first column names the record. */
export interface Column<Row, SortBy extends string = string> {
  id: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** The sort key of the column; without it the column is not sortable. */
  sortBy?: SortBy;
  /** For names, which are first sorted from A to Z. */
  isAscendingFirst?: boolean;
  /** Numbers are right-aligned; moments and short words do not wrap. */
  kind?: 'text' | 'number' | 'line';
  /** True when the row has nothing to show here. A card then omits the fact. */
  isEmpty?: (row: Row) => boolean;
  /** On a card, shown beside its name instead of among the facts. */
  isCardAside?: boolean;
  /** On a card, takes a row of its own above the other facts, which then share the next ones by two (four facts) or three. */
  isCardWide?: boolean;
  /** Shown only in the table or only on the card, when the other form shows it differently. */
  only?: 'table' | 'card';
}

export interface RecordListProps<Row, SortBy extends string = string> {
  /** The caption of the list, for screen readers. */
  caption: string;
  rows: Row[];
  columns: readonly Column<Row, SortBy>[];
  idOf: (row: Row) => string;
  ordering?: Ordering<SortBy> | undefined;
  onOrder?: (ordering: Ordering<SortBy>) => void;
  /** Opens a record's details; without it rows are not clickable. */
  onOpen?: (row: Row) => void;
  /** The rows are the answer to the previous request while the present one is pending. */
  isStale?: boolean;
  /** Cards show the values without their labels, in two lines below the name. For lists whose values explain themselves. */
  hasDenseCards?: boolean;
  /** Uses less space between rows. */
  isCompact?: boolean;
  /** Adds a checkbox to each row. */
  selection?: Selection<Row> | undefined;
}

/** The rows of a list that are selected for an action. */
export interface Selection<Row> {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
  /** Names a row for screen readers. */
  nameOf: (row: Row) => string;
}

/** The selection after a row was added or taken away. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
