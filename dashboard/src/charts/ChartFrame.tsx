import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { AfterPaint } from '../components/AfterPaint.tsx';
import classes from './ChartFrame.module.css';

interface ChartFrameProps {
  /** The title of the chart and of the hidden table. */
  title: string;
  headings: readonly string[];
  /** The exact figures of the chart. The first cell of each row is its heading. */
  rows: readonly (readonly ReactNode[])[];
  isStale?: boolean;
  /** The chart. */
  children: ReactNode;
}

/**
 * A chart with a hidden table of its figures for screen readers. Its height is fixed before the chart is drawn. On the first page
 * the table follows the first paint.
 */
export function ChartFrame({ title, headings, rows, isStale = false, children }: ChartFrameProps) {
  return (
    <figure className={classes.figure} data-stale={isStale || undefined}>
      <div className={classes.picture} aria-hidden="true">
        {children}
      </div>
      <AfterPaint>
        <VisuallyHidden>
          <FigureTable title={title} headings={headings} rows={rows} />
        </VisuallyHidden>
      </AfterPaint>
    </figure>
  );
}

function FigureTable({ title, headings, rows }: Pick<ChartFrameProps, 'title' | 'headings' | 'rows'>) {
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbered(rows).map(({ number, cells: [name, ...values] }) => (
          <tr key={number}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={headings[index + 1]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Rows are identified by their index: two points within one second have the same heading. */
function numbered(rows: ChartFrameProps['rows']) {
  return rows.map((cells, number) => ({ number, cells }));
}
