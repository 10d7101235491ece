import { Loader } from '@mantine/core';
import classes from './States.module.css';

export function LoadingState({ label }: { label: string }) {
  return (
    <div className={classes.state} role="status">
      <Loader size="sm" />
      <p className={classes.text}>{label}</p>
    </div>
  );
}
