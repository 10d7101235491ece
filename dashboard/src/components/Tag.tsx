import type { ReactNode } from 'react';
import classes from './Tag.module.css';

export type Tone = 'plain' | 'good' | 'warning' | 'danger' | 'info';

interface TagProps {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}

/** A short fact in a frame. The text carries the meaning, never the colour alone. */
export function Tag({ tone = 'plain', icon, children }: TagProps) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}
