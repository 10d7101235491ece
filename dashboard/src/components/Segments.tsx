import { useId } from 'react';
import classes from './Segments.module.css';

interface SegmentsProps<Value extends string> {
  data: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  'aria-label'?: string;
  'aria-labelledby'?: string;
  fullWidth?: boolean;
  isVertical?: boolean;
}

/** One of a few choices, all of them visible. Mantine's control measures its segments, which delays the first paint of a page. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { data, value, onChange, fullWidth = false, isVertical = false } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={props['aria-label']}
      aria-labelledby={props['aria-labelledby']}
      className={classes.segments}
      data-full-width={fullWidth || undefined}
      data-vertical={isVertical || undefined}
    >
      {data.map((segment) => (
        <label key={segment.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
            className={classes.input}
          />
          {segment.label}
        </label>
      ))}
    </div>
  );
}
