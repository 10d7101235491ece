import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Guild } from '../api/guilds.ts';
import { overviewQuery } from '../api/overview.ts';
import { formatDay } from '../components/days.ts';
import { RoundedMoney } from '../components/RoundedMoney.tsx';
import { isDay } from '../components/search-filters.ts';
import { dayInZone } from '../components/time-zone.ts';
import { useNow } from '../components/use-now.ts';
import classes from './Overview.module.css';

interface TotalOnDateProps {
  guild: Guild;
  /** The chosen day; '' for none. */
  day: string;
  onChange: (day: string) => void;
}

/** The guild's total at the end of a chosen day. */
export function TotalOnDate({ guild, day, onChange }: TotalOnDateProps) {
  const today = dayInZone(useNow());
  return (
    <section className={classes.section} aria-labelledby="date-title">
      <div className={classes.head}>
        <h2 id="date-title" className={classes.title}>
          <Trans>Guild total on a date</Trans>
        </h2>
      </div>
      <TextInput
        type="date"
        aria-label={t`Date of the total`}
        max={today}
        value={day}
        onChange={({ currentTarget: { value } }) => onChange(isDay(value) ? value : '')}
      />
      {day !== '' && <TotalOf guild={guild} day={day} today={today} />}
    </section>
  );
}

function TotalOf({ guild, day, today }: { guild: Guild; day: string; today: string }) {
  const { data, error } = useQuery(overviewQuery(guild.guildId, { since: day, until: day }));
  if (error && data === undefined) {
    return (
      <p className={classes.quiet}>
        <Trans>The total could not be loaded. {error.message}</Trans>
      </p>
    );
  }
  if (data === undefined || data.range.since !== day) return <Skeleton height={44} mt="sm" />;
  const { balance, accounts } = data.closing;
  const shownDay = formatDay(day);
  return (
    <p className={classes.onDate} role="status">
      <strong>
        <RoundedMoney value={balance} />
      </strong>
      <span>
        {day >= today
          ? plural(accounts, { one: 'in # account, now', other: 'in # accounts, now' })
          : plural(accounts, {
              one: `in # account, at the end of ${shownDay}`,
              other: `in # accounts, at the end of ${shownDay}`,
            })}
      </span>
    </p>
  );
}
