import { initialsOf, pickFor } from './initials.ts';
import classes from './NameMark.module.css';

const tints = ['accent', 'info', 'violet', 'warning'] as const;

interface NameMarkProps {
  /** Determines the colour, so that the colour stays when the name changes. */
  id: string;
  name: string;
  size?: 'sm' | 'md' | 'lg';
  isRound?: boolean;
}

/** Initials instead of a picture: pictures are on the chat platform, and the pages load nothing from other origins. */
export function NameMark({ id, name, size = 'md', isRound = false }: NameMarkProps) {
  return (
    <span
      className={classes.mark}
      data-size={size}
      data-tint={tints[pickFor(id, tints.length)]}
      data-round={isRound || undefined}
      aria-hidden="true"
    >
      {initialsOf(name)}
    </span>
  );
}
