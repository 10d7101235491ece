import { RecordCards } from './RecordCards.tsx';
import { RecordTable } from './RecordTable.tsx';
import type { RecordListProps } from './record-list.ts';
import { useIsNarrow } from './use-is-narrow.ts';

/** Records as a table, or as cards where a table does not fit. */
export function RecordList<Row, SortBy extends string>(props: RecordListProps<Row, SortBy>) {
  const isNarrow = useIsNarrow();
  const other = isNarrow ? 'table' : 'card';
  const columns = props.columns.filter(({ only }) => only !== other);
  return isNarrow ? (
    <RecordCards {...props} columns={columns} />
  ) : (
    <RecordTable {...props} columns={columns} />
  );
}
