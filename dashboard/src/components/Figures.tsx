import type { ReactNode } from 'react';
import classes from './Figures.module.css';

export interface Figure {
  label: string;
  value: ReactNode;
  /** The value as a text, when it may be long: a long one gets a smaller font. */
  text?: string;
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
      {figures.map(({ label, value, text = '', note }) => (
        <div key={label} className={classes.figure}>
          <dt className={classes.label}>{label}</dt>
          <dd className={classes.value} data-size={sizeFor(widthOf(text))}>
            {value}
          </dd>
          {note !== undefined && <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** The width of a text in ordinary characters. A wide character counts as almost two. */
function widthOf(text: string): number {
  const wide = text.match(/[MW@]|\p{Ideographic}|\p{Extended_Pictographic}/gu)?.length ?? 0;
  return text.length + 0.75 * wide;
}

function sizeFor(length: number): 'small' | 'smaller' | 'broken' | undefined {
  if (length >= brokenFrom) return 'broken';
  if (length >= veryLongFrom) return 'smaller';
  return length >= longFrom ? 'small' : undefined;
}
