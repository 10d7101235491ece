import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview, Unusual } from '../api/overview.ts';
import { formatDay } from '../components/days.ts';
import { formatMoney, parseMoney } from '../components/money.ts';
import { daysOf, rowsAddress } from './links.ts';
import classes from './Overview.module.css';

/** Unusual findings in the range, with the reasons and links to the rows. */
export function UnusualSection({ guild, overview }: { guild: Guild; overview: Overview }) {
  if (overview.unusual.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="unusual-title">
      <h2 id="unusual-title" className={classes.title}>
        Unusual activity
      </h2>
      <ul className={classes.unusual}>
        {overview.unusual.map((one) => (
          <li key={`${one.kind} ${one.day ?? ''} ${one.source ?? ''}`}>
            <IconAlertTriangle size={17} stroke={1.8} aria-hidden="true" />
            <span>
              <Explanation unusual={one} />
            </span>
            <Link to={addressOf(guild.guildId, one, overview)} className={classes.more ?? ''}>
              Show the transactions
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function addressOf(guildId: string, { kind, day, source }: Unusual, overview: Overview): string {
  if (day === null) return rowsAddress(guildId, daysOf(overview), source === null ? {} : { source });
  const days = daysOf(overview, { since: day, until: day });
  return rowsAddress(guildId, days, { direction: kind === 'money-in' ? 'in' : 'out' });
}

function Explanation({ unusual }: { unusual: Unusual }) {
  const { kind, day, source, amount, usual } = unusual;
  if (kind === 'new-source') {
    return (
      <>
        <strong>New source:</strong> <bdi>{source}</bdi> moved {formatMoney(amount)}. It was not seen in the
        90 days before.
      </>
    );
  }
  return (
    <>
      <strong>{kind === 'money-in' ? 'Much money in' : 'Much money out'}:</strong> {formatMoney(amount)} on{' '}
      {formatDay(day ?? '')}, {timesText(amount, usual ?? '0')} the usual {formatMoney(usual ?? '0')} a
      day, the median of the 28 days before.
    </>
  );
}

/** "4.5 times", from exact sums. */
function timesText(amount: string, usual: string): string {
  const [units, usualUnits] = [parseMoney(amount) ?? 0n, parseMoney(usual) ?? 0n];
  if (usualUnits === 0n) return 'many times';
  const tenths = (units * 10n) / usualUnits;
  return `${tenths / 10n}.${tenths % 10n} times`;
}
