import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, keysQuery } from '../api/keys.ts';
import { Moment } from '../components/Moment.tsx';
import { useNow } from '../components/use-now.ts';
import { KeyStateTag } from '../keys/KeyFacts.tsx';
import { sortKeys } from '../keys/key-list.ts';
import classes from './Overview.module.css';

const shownMax = 5;

/** Keys that expire soon or have expired, the next one first. */
export function ExpiringKeys({ guild }: { guild: Guild }) {
  const { data: keys, error } = useQuery(keysQuery(guild.guildId));
  return (
    <section className={classes.section} aria-labelledby="keys-title">
      <div className={classes.head}>
        <h2 id="keys-title" className={classes.title}>
          Keys that expire soon
        </h2>
        <Link to={`/guilds/${guild.guildId}/keys`} className={classes.more ?? ''}>
          All keys
        </Link>
      </div>
      {keys === undefined && !error && <Skeleton height={84} />}
      {keys === undefined && error && (
        <p className={classes.quiet}>The keys could not be loaded. {error.message}</p>
      )}
      {keys && <KeyList keys={keys} />}
    </section>
  );
}

function KeyList({ keys }: { keys: ApiKey[] }) {
  const nowMs = useNow();
  const order = { sortBy: 'expires', isDescending: false } as const;
  const ending = sortKeys(
    keys.filter(({ state }) => state !== 'active'),
    order,
  ).slice(0, shownMax);
  if (keys.length === 0) return <p className={classes.quiet}>This guild has no keys yet.</p>;
  if (ending.length === 0) return <p className={classes.quiet}>None. All keys are good for a while.</p>;
  return (
    <ul className={classes.list}>
      {ending.map((key) => (
        <li key={key.id}>
          <span className={classes.keyName}>
            <bdi>{key.name}</bdi>
            <span className={classes.keyMoment}>
              <Moment at={key.expiresAt} nowMs={nowMs} />
            </span>
          </span>
          <KeyStateTag state={key.state} />
        </li>
      ))}
    </ul>
  );
}
