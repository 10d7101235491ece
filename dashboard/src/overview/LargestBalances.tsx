import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Player } from '../api/players.ts';
import { ledgerAddress } from '../components/addresses.ts';
import classes from './Overview.module.css';
import { PlayerBalances } from './PlayerBalances.tsx';

export function LargestBalances({ guild, players }: { guild: Guild; players: readonly Player[] }) {
  return (
    <section className={classes.section} aria-labelledby="balances-title">
      <div className={classes.head}>
        <h2 id="balances-title" className={classes.title}>
          <Trans>Largest balances now</Trans>
        </h2>
        <Link to={ledgerAddress(guild.guildId)} className={classes.more ?? ''}>
          <Trans>Open the ledger</Trans>
        </Link>
      </div>
      {players.length === 0 ? (
        <p className={classes.quiet}>
          <Trans>No accounts yet. One opens with a player’s first transaction.</Trans>
        </p>
      ) : (
        <PlayerBalances guild={guild} players={players} />
      )}
    </section>
  );
}
