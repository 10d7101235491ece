import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import classes from './RecordTable.module.css';
import { type Column, type RecordListProps, type Selection, toggled } from './record-list.ts';
import { SortHeader } from './SortHeader.tsx';
import { useTableFit } from './use-table-fit.ts';

export function RecordTable<Row, SortBy extends string>(props: RecordListProps<Row, SortBy>) {
  const { caption, rows, columns, idOf, onOpen, isStale = false, isCompact = false, selection } = props;
  const frame = useRef<HTMLDivElement>(null);
  const fit = useTableFit(frame);
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-fit={fit}
      data-stale={isStale || undefined}
      data-compact={isCompact || undefined}
      aria-busy={isStale}
    >
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {selection && <AllSelected rows={rows} idOf={idOf} selection={selection} />}
            {columns.map((column) => (
              <Heading key={column.id} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <RecordRow
              key={idOf(row)}
              row={row}
              columns={columns}
              onOpen={onOpen}
              selected={selection && <SelectCell id={idOf(row)} row={row} selection={selection} />}
              isSelected={selection?.ids.has(idOf(row)) ?? false}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps<Row, SortBy extends string> extends RecordListProps<Row, SortBy> {
  column: Column<Row, SortBy>;
}

function Heading<Row, SortBy extends string>({ column, ordering, onOrder }: HeadingProps<Row, SortBy>) {
  const { label, sortBy, kind = 'text', isAscendingFirst = false } = column;
  const className = kind === 'number' ? classes.numberHeading : classes.heading;
  if (sortBy === undefined || !onOrder) {
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    );
  }
  const order = { sortBy, ordering, onOrder, isAscendingFirst };
  return (
    <SortHeader className={className} {...order}>
      {label}
    </SortHeader>
  );
}

interface RecordRowProps<Row, SortBy extends string> {
  row: Row;
  columns: readonly Column<Row, SortBy>[];
  onOpen: ((row: Row) => void) | undefined;
  /** The cell with the checkbox, in a list with a selection. */
  selected: ReactNode;
  isSelected: boolean;
}

function RecordRow<Row, SortBy extends string>(props: RecordRowProps<Row, SortBy>) {
  const { row, columns, onOpen, selected, isSelected } = props;
  const [first, ...others] = columns;
  const open = (event: MouseEvent) => {
    if (onOpen && isForTheRow(event)) onOpen(row);
  };
  return (
    // For the mouse; the button in the first cell is for the keyboard.
    <tr data-open={onOpen ? true : undefined} data-selected={isSelected || undefined} onClick={open}>
      {selected}
      <th scope="row" className={classes.name}>
        {onOpen ? (
          <button type="button" className={classes.open} onClick={() => onOpen(row)}>
            <span className={classes.clamped} dir="auto">
              {first?.render(row)}
            </span>
            <VisuallyHidden>
              <Trans>, show details</Trans>
            </VisuallyHidden>
          </button>
        ) : (
          <span className={classes.clamped} dir="auto">
            {first?.render(row)}
          </span>
        )}
      </th>
      {others.map(({ id, kind = 'text', render }) => (
        <td key={id} className={classes[kind]}>
          {kind === 'text' ? (
            <span className={classes.clamped} dir="auto">
              {render(row)}
            </span>
          ) : (
            render(row)
          )}
        </td>
      ))}
    </tr>
  );
}

interface SelectProps<Row> {
  selection: Selection<Row>;
}

/** Selects all rows of the page, or none. */
function AllSelected<Row>({
  rows,
  idOf,
  selection,
}: SelectProps<Row> & Pick<RecordListProps<Row>, 'rows' | 'idOf'>) {
  const count = rows.filter((row) => selection.ids.has(idOf(row))).length;
  const isAll = count > 0 && count === rows.length;
  return (
    <th scope="col" className={classes.selectHeading}>
      <Checkbox
        size="xs"
        aria-label={t`Select all rows of this page`}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={() => selection.onChange(new Set(isAll ? [] : rows.map(idOf)))}
      />
    </th>
  );
}

function SelectCell<Row>({ id, row, selection }: SelectProps<Row> & { id: string; row: Row }) {
  return (
    <td className={classes.select}>
      <Checkbox
        size="xs"
        aria-label={t`Select ${selection.nameOf(row)}`}
        checked={selection.ids.has(id)}
        onChange={() => selection.onChange(toggled(selection.ids, id))}
      />
    </td>
  );
}

/** True when a click is meant for the row: not on a control, and not the end of a text selection. */
function isForTheRow(event: MouseEvent): boolean {
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
  return !isOnControl && window.getSelection()?.isCollapsed !== false;
}
