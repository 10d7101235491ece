import type { ReactNode } from 'react';
import classes from './Figures.module.css';

export interface Figure {
  label: string;
  value: ReactNode;
  /** How many signs the value has: a long one is set smaller. */
  length?: number;
  note?: ReactNode;
}

const longFrom = 13;
const veryLongFrom = 18;

/** A few figures side by side, each with its name above and what to know about it below. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.figures} data-even={figures.length % 4 === 0 || undefined}>
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

function sizeFor(length: number): 'small' | 'smaller' | undefined {
  if (length >= veryLongFrom) return 'smaller';
  return length >= longFrom ? 'small' : undefined;
}
