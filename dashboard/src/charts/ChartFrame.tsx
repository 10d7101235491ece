import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ChartFrame.module.css';

interface ChartFrameProps {
  /** What the picture shows, in a few words; the table behind it has the same name. */
  title: string;
  headings: readonly string[];
  /** The same figures as in the picture, to the last digit; the first of each row names it. */
  rows: readonly (readonly ReactNode[])[];
  isStale?: boolean;
  /** The picture itself. */
  children: ReactNode;
}

/** A picture with its figures behind it, for those who cannot see it. It has its height before it is there. */
export function ChartFrame({ title, headings, rows, isStale = false, children }: ChartFrameProps) {
  return (
    <figure className={classes.figure} data-stale={isStale || undefined}>
      <div className={classes.picture} aria-hidden="true">
        {children}
      </div>
      <VisuallyHidden>
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
      </VisuallyHidden>
    </figure>
  );
}

/** Two points of one second have one name, so rows are told apart by their place. */
function numbered(rows: ChartFrameProps['rows']) {
  return rows.map((cells, number) => ({ number, cells }));
}
