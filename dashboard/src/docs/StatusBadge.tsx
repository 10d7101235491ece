import { statusTone } from './request/status-text.ts';
import classes from './StatusBadge.module.css';

export function StatusBadge({ status }: { status: string }) {
  return (
    <span className={classes.badge} data-tone={statusTone(status)}>
      {status}
    </span>
  );
}
