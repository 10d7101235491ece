import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Account, avatarAddress, avatarQuery } from '../api/avatars.ts';
import { useIsPainted } from '../components/AfterPaint.tsx';
import { Breakable } from '../components/Breakable.tsx';
import { NameMark } from '../components/NameMark.tsx';
import classes from './PersonMark.module.css';

interface PersonMarkProps {
  guildId: string;
  /** The game account, or else the chat account. */
  playerId?: string | undefined;
  chatId?: string | undefined;
  name: string;
  /** False for an account that nobody is verified with: then there is no picture to ask for. */
  isVerified?: boolean;
  size?: 'xs' | 'sm' | 'md' | 'lg';
}

/** The picture of a person, or their initials. */
export function PersonMark(props: PersonMarkProps) {
  const { guildId, playerId, chatId, name, isVerified = true, size = 'sm' } = props;
  const account: Account =
    playerId === undefined ? { kind: 'chat', id: chatId ?? '' } : { kind: 'player', id: playerId };
  const enabled = useIsPainted() && isVerified && account.id !== '';
  const { data: avatar } = useQuery({ ...avatarQuery(guildId, account), enabled });
  const picture = avatar ? avatarAddress(guildId, avatar) : undefined;
  return <NameMark id={account.id} name={name} size={size} isRound picture={picture} />;
}

interface MarkedNameProps extends PersonMarkProps {
  /** Instead of the plain name. */
  children?: ReactNode;
}

/** The same before the name itself, which keeps to its own side when it wraps. */
export function MarkedName({ children, ...mark }: MarkedNameProps) {
  return (
    <span className={classes.person}>
      <PersonMark size="xs" {...mark} />
      <span className={classes.text} dir="auto">
        {children ?? <Breakable>{mark.name}</Breakable>}
      </span>
    </span>
  );
}
