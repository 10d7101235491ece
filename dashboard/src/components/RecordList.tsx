import { RecordCards } from './RecordCards.tsx';
import { RecordTable } from './RecordTable.tsx';
import type { RecordListProps } from './record-list.ts';
import { useIsNarrow } from './use-is-narrow.ts';

/** Records as a table, or as cards where a table does not fit. */
export function RecordList<Row, SortBy extends string>(props: RecordListProps<Row, SortBy>) {
  const isNarrow = useIsNarrow();
  const other = isNarrow ? 'table' : 'card';
  const columns = props.columns.filter(({ only }) => only !== other);
  // Rows of the filter before the last change are shown until the new ones are there. They are not what the person asked for.
  const opening = props.onOpen && props.isStale ? { onOpen: () => {} } : {};
  return isNarrow ? (
    <RecordCards {...props} {...opening} columns={columns} />
  ) : (
    <RecordTable {...props} {...opening} columns={columns} />
  );
}
