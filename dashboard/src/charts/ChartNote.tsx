import classes from './ChartNote.module.css';

export interface NoteLine {
  label: string;
  value: string;
  tint?: 'in' | 'out';
}

/** What a picture says where the pointer is: exact figures, not the rounded ones it is drawn from. */
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
