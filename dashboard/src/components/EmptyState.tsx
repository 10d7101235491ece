import type { ReactNode } from 'react';
import classes from './States.module.css';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What the reader can do about it. */
  children?: ReactNode;
}

export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      {icon && <span className={classes.icon}>{icon}</span>}
      <p className={classes.title}>{title}</p>
      {children && <div className={classes.text}>{children}</div>}
    </div>
  );
}
