import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { playerAddress } from '../components/addresses.ts';
import { Balance } from '../components/Money.tsx';
import { groupCount } from '../components/money.ts';
import classes from './Overview.module.css';

const shownMax = 8;
const countedMax = 1_000;

/** Accounts below zero, the lowest first. */
export function Overdrawn({ guild, overdrawn }: { guild: Guild; overdrawn: Overview['overdrawn'] }) {
  const { count, players } = overdrawn;
  return (
    <section className={classes.section} aria-labelledby="overdrawn-title">
      <div className={classes.head}>
        <h2 id="overdrawn-title" className={classes.title}>
          Overdrawn accounts
        </h2>
        {count > 0 && (
          <span className={classes.note}>
            {count >= countedMax ? `${groupCount(countedMax)} or more` : groupCount(count)}
          </span>
        )}
      </div>
      {count === 0 ? (
        <p className={classes.quiet}>None. Every account is at zero or above.</p>
      ) : (
        <ol className={classes.list}>
          {players.slice(0, shownMax).map(({ playerId, username, balance }) => (
            <li key={playerId}>
              <Link to={playerAddress(guild.guildId, playerId)} className={classes.who ?? ''}>
                <bdi>{username ?? playerId}</bdi>
              </Link>
              <Balance value={balance} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
