import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { MarkedName } from '../access/PersonMark.tsx';
import type { Guild } from '../api/guilds.ts';
import { type TopPlayers, topPlayersQuery } from '../api/overview.ts';
import { personAddress } from '../components/addresses.ts';
import { daysInAddress } from '../components/date-range.ts';
import { MoneyFlow } from '../components/Money.tsx';
import { placesOf } from '../components/money.ts';
import { exactMoment } from '../components/time.ts';
import type { SummedDays } from './links.ts';
import classes from './Overview.module.css';

const shownMax = 5;

/** The players who spent and earned most in the range. */
export function TopPlayersSection({ guild, days }: { guild: Guild; days: SummedDays }) {
  const { since, until } = days;
  const { data, error } = useQuery(topPlayersQuery(guild.guildId, { since, until }));
  return (
    <div className={classes.players}>
      {(['out', 'in'] as const).map((direction) => (
        <PlayerList
          key={direction}
          direction={direction}
          guild={guild}
          days={days}
          data={data}
          error={error}
        />
      ))}
      {data?.searchedTo && (
        <p className={classes.quiet}>
          <Trans>
            This range has very many transactions. Only those since {exactMoment(Date.parse(data.searchedTo))}{' '}
            are added up.
          </Trans>
        </p>
      )}
    </div>
  );
}

interface PlayerListProps {
  direction: 'in' | 'out';
  guild: Guild;
  days: SummedDays;
  data: TopPlayers | undefined;
  error: Error | null;
}

function PlayerList({ direction, guild, days, data, error }: PlayerListProps) {
  const players = direction === 'in' ? data?.earners : data?.spenders;
  const places = placesOfAll(players ?? []);
  const bound = direction === 'in' ? { minAmount: '0' } : { maxAmount: '0' };
  const search = `?${new URLSearchParams({ ...daysInAddress(days, days.timeZone), ...bound })}`;
  return (
    <section className={classes.section} aria-labelledby={`top-${direction}`}>
      <div className={classes.head}>
        <h2 id={`top-${direction}`} className={classes.title}>
          {direction === 'in' ? t`Top earners` : t`Top spenders`}
        </h2>
      </div>
      {players === undefined && error && (
        <p className={classes.quiet}>
          <Trans>They could not be loaded. {error.message}</Trans>
        </p>
      )}
      {players === undefined && !error && <Skeleton height={168} />}
      {players?.length === 0 && (
        <p className={classes.quiet}>
          <Trans>Nobody in these days.</Trans>
        </p>
      )}
      {players && players.length > 0 && (
        <ol className={classes.list}>
          {players.slice(0, shownMax).map(({ playerId, username, amount }) => (
            <li key={playerId}>
              <Link to={personAddress(guild.guildId, playerId, search)} className={classes.who ?? ''}>
                <MarkedName
                  guildId={guild.guildId}
                  playerId={playerId}
                  name={username ?? playerId}
                  isVerified={username !== null}
                />
              </Link>
              <MoneyFlow value={direction === 'in' ? amount : `-${amount}`} places={places} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function placesOfAll(players: readonly { amount: string }[]): number {
  return Math.max(0, ...players.slice(0, shownMax).map(({ amount }) => placesOf(amount)));
}
