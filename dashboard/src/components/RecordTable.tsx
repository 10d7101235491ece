import { VisuallyHidden } from '@mantine/core';
import { type MouseEvent, useRef } from 'react';
import classes from './RecordTable.module.css';
import type { Column, RecordListProps } from './record-list.ts';
import { SortHeader } from './SortHeader.tsx';
import { useIsTooWide } from './use-is-too-wide.ts';

export function RecordTable<Row, SortBy extends string>(props: RecordListProps<Row, SortBy>) {
  const { caption, rows, columns, idOf, onOpen, isStale = false, isCompact = false } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isTooWide = useIsTooWide(frame);
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-wide={isTooWide || undefined}
      data-stale={isStale || undefined}
      data-compact={isCompact || undefined}
      aria-busy={isStale}
    >
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <RecordRow key={idOf(row)} row={row} columns={columns} onOpen={onOpen} />
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
}

function RecordRow<Row, SortBy extends string>({ row, columns, onOpen }: RecordRowProps<Row, SortBy>) {
  const [first, ...others] = columns;
  const open = (event: MouseEvent) => {
    if (onOpen && isForTheRow(event)) onOpen(row);
  };
  return (
    // For the mouse; the button in the first cell is for the keyboard.
    <tr data-open={onOpen ? true : undefined} onClick={open}>
      <th scope="row" className={classes.name}>
        {onOpen ? (
          <button type="button" className={classes.open} onClick={() => onOpen(row)}>
            <span className={classes.clamped}>{first?.render(row)}</span>
            <VisuallyHidden>, show details</VisuallyHidden>
          </button>
        ) : (
          <span className={classes.clamped}>{first?.render(row)}</span>
        )}
      </th>
      {others.map(({ id, kind = 'text', render }) => (
        <td key={id} className={classes[kind]}>
          {kind === 'text' ? <span className={classes.clamped}>{render(row)}</span> : render(row)}
        </td>
      ))}
    </tr>
  );
}

/** True when a click is meant for the row: not on a link or a button, and not the end of a text selection. */
function isForTheRow(event: MouseEvent): boolean {
  const isOnControl = event.target instanceof Element && event.target.closest('a, button') !== null;
  return !isOnControl && window.getSelection()?.isCollapsed !== false;
}
