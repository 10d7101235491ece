import { PersonMark } from '../access/PersonMark.tsx';
import type { Actor } from '../api/audit.ts';
import classes from './ActorMark.module.css';

interface ActorMarkProps {
  guildId: string;
  actor: Actor;
}

/** The picture of the person who made a change; nothing for keys, the bot and the operator. */
export function ActorMark({ guildId, actor: { kind, id, name } }: ActorMarkProps) {
  if (kind !== 'user') return null;
  return (
    <span className={classes.actor}>
      <PersonMark guildId={guildId} chatId={id} name={name ?? id} size="xs" />
    </span>
  );
}
