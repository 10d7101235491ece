import type { BarPart } from './BarPlot.tsx';
import classes from './ChartNote.module.css';

export interface NoteLine {
  label: string;
  value: string;
  tint?: BarPart['tint'];
}

/** The tooltip of a chart. It shows exact figures, while the chart is drawn from rounded ones. */
export function ChartNote({ title, lines }: { title: string; lines: readonly NoteLine[] }) {
  return (
    <div className={classes.note}>
      <p className={classes.title}>{title}</p>
      {lines.map(({ label, value, tint }) => (
        <p key={label} className={classes.line}>
          <span className={classes.label} data-tint={tint}>
            {label}
          </span>
          <span className={classes.value}>{value}</span>
        </p>
      ))}
    </div>
  );
}
