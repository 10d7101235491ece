import type { ReactNode } from 'react';
import classes from './States.module.css';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** Set when the page has no other content: the title is then the page's heading. */
  isPage?: boolean;
  /** The actions that the reader can take. */
  children?: ReactNode;
}

export function EmptyState({ icon, title, isPage = false, children }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className={classes.state}>
      {icon && <span className={classes.icon}>{icon}</span>}
      <Title className={classes.title}>{title}</Title>
      {children && <div className={classes.text}>{children}</div>}
    </div>
  );
}
