import type { ReactNode } from 'react';
import classes from './Tag.module.css';

export type Tone = 'plain' | 'good' | 'warning' | 'danger' | 'info';

interface TagProps {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}

/** A short fact in a frame of its own. What it says is always in the words, never in the colour alone. */
export function Tag({ tone = 'plain', icon, children }: TagProps) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}
