import { Link } from 'react-router';
import { MarkedName } from '../access/PersonMark.tsx';
import type { Guild } from '../api/guilds.ts';
import type { Player } from '../api/players.ts';
import { personAddress } from '../components/addresses.ts';
import { Balance } from '../components/Money.tsx';
import { placesOf } from '../components/money.ts';
import classes from './Overview.module.css';

const shownMax = 5;

interface PlayerBalancesProps {
  guild: Guild;
  players: readonly Pick<Player, 'playerId' | 'username' | 'balance'>[];
}

/** The first few players of a list, each with a link to the account. */
export function PlayerBalances({ guild, players }: PlayerBalancesProps) {
  const shown = players.slice(0, shownMax);
  const places = Math.max(0, ...shown.map(({ balance }) => placesOf(balance)));
  return (
    <ol className={classes.list}>
      {shown.map(({ playerId, username, balance }) => (
        <li key={playerId}>
          <Link to={personAddress(guild.guildId, playerId)} className={classes.who ?? ''}>
            <MarkedName
              guildId={guild.guildId}
              playerId={playerId}
              name={username ?? playerId}
              isVerified={username !== null}
            />
          </Link>
          <Balance value={balance} places={places} />
        </li>
      ))}
    </ol>
  );
}
