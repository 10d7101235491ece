import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { PersonMark } from '../access/PersonMark.tsx';
import { useGuild } from '../access/use-guild.ts';
import type { Member } from '../api/members.ts';
import { personQuery } from '../api/people.ts';
import { personAddress } from '../components/addresses.ts';
import { Tag } from '../components/Tag.tsx';
import classes from './People.module.css';
import { matchInWords, parseLookup } from './person-query.ts';

interface FoundElsewhereProps {
  guildId: string;
  query: string;
  /** The people of the guild who match. */
  members: readonly Member[];
}

/**
 * A verified person with exactly this id or name who is not among the guild's own people. Verifications are shared
 * between guilds, so the service shows them only to guilds with a plan.
 */
export function FoundElsewhere({ guildId, query, members }: FoundElsewhereProps) {
  const guild = useGuild();
  const isAskable = guild.state === 'ready' && parseLookup(query).text !== '';
  const { data: person } = useQuery({ ...personQuery(guildId, query.trim()), enabled: isAskable });
  if (!isAskable || !person || members.some(({ chatId }) => chatId === person.chatId)) return null;
  return (
    <article className={classes.elsewhere} aria-label={t`Verified person`}>
      <PersonMark guildId={guildId} playerId={person.playerId} name={person.username} size="md" />
      <div className={classes.grow}>
        <Link to={personAddress(guildId, person.playerId)}>
          <bdi>{person.username}</bdi>
        </Link>{' '}
        <span className={classes.quiet}>
          <Trans>
            {matchInWords(person, query)}. Chat id <bdi>{person.chatId}</bdi>, player{' '}
            <bdi>{person.playerId}</bdi>
          </Trans>
        </span>
      </div>
      <Tag tone="info">
        <Trans>Verified, not in this list</Trans>
      </Tag>
    </article>
  );
}
