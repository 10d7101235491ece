import { useState } from 'react';
import { useIsPainted } from './AfterPaint.tsx';
import { initialsOf, pickFor } from './initials.ts';
import classes from './NameMark.module.css';

const tints = ['accent', 'info', 'violet', 'warning'] as const;

interface NameMarkProps {
  /** Determines the colour, so that the colour stays when the name changes. */
  id: string;
  name: string;
  size?: 'xs' | 'sm' | 'md' | 'lg';
  isRound?: boolean;
  /** The address of the picture on our own origin. */
  picture?: string | undefined;
}

/**
 * A picture, or initials while there is none. The initials are drawn by the stylesheet, so that they are neither copied nor found
 * as a part of the name.
 */
export function NameMark({ id, name, size = 'md', isRound = false, picture }: NameMarkProps) {
  const [failed, setFailed] = useState<string>();
  // Pictures wait for the content of the first page.
  const isPainted = useIsPainted();
  return (
    <span
      className={classes.mark}
      data-size={size}
      data-tint={tints[pickFor(id, tints.length)]}
      data-round={isRound || undefined}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    >
      {isPainted && picture !== undefined && picture !== failed && (
        <img
          className={classes.picture}
          src={picture}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(picture)}
        />
      )}
    </span>
  );
}
