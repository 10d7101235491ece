import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { groupCount } from '../components/money.ts';
import classes from './Overview.module.css';
import { PlayerBalances } from './PlayerBalances.tsx';

const countedMax = 1_000;
const shownMax = 3;

/** Accounts below zero, lowest first. */
export function Overdrawn({ guild, overdrawn }: { guild: Guild; overdrawn: Overview['overdrawn'] }) {
  const { count, players } = overdrawn;
  if (count === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="overdrawn-title">
      <div className={classes.head}>
        <h2 id="overdrawn-title" className={classes.title}>
          <Trans>Overdrawn accounts now</Trans>
        </h2>
        <span className={classes.note}>
          {count >= countedMax ? t`${groupCount(countedMax)} or more` : groupCount(count)}
        </span>
      </div>
      <PlayerBalances guild={guild} players={players.slice(0, shownMax)} />
    </section>
  );
}
