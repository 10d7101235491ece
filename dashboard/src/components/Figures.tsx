import type { ReactNode } from 'react';
import classes from './Figures.module.css';

export interface Figure {
  label: string;
  value: ReactNode;
  /** The number of characters of the value; a long one gets a smaller font. */
  length?: number;
  note?: ReactNode;
}

const longFrom = 13;
const veryLongFrom = 18;
/** From here on a value may take several lines. */
const brokenFrom = 23;

/** Figures side by side, each with its name above and a note below. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.figures} data-count={figures.length}>
      {figures.map(({ label, value, length = 0, note }) => (
        <div key={label} className={classes.figure}>
          <dt className={classes.label}>{label}</dt>
          <dd className={classes.value} data-size={sizeFor(length)}>
            {value}
          </dd>
          {note !== undefined && <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

function sizeFor(length: number): 'small' | 'smaller' | 'broken' | undefined {
  if (length >= brokenFrom) return 'broken';
  if (length >= veryLongFrom) return 'smaller';
  return length >= longFrom ? 'small' : undefined;
}
