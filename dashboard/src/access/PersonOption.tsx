import type { ReactNode } from 'react';
import { PersonMark } from './PersonMark.tsx';
import classes from './PersonOption.module.css';

interface PersonOptionProps {
  guildId: string;
  playerId: string;
  /** '' for a person without a name. */
  name: string;
  /** A note that distinguishes people of the same name. */
  children?: ReactNode;
}

/** A person in a list of choices: the name, the id, and a note, which goes to a line of its own when there is no room. */
export function PersonOption({ guildId, playerId, name, children }: PersonOptionProps) {
  return (
    <span className={classes.option}>
      <PersonMark
        guildId={guildId}
        playerId={playerId}
        name={name || playerId}
        isVerified={name !== ''}
        size="xs"
      />
      <span className={classes.text}>
        <bdi className={classes.name}>{name || playerId}</bdi>
        {name !== '' && <bdi className={classes.id}>{playerId}</bdi>}
        {children !== undefined && <span className={classes.note}>{children}</span>}
      </span>
    </span>
  );
}
