import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountRef } from '../api/account-ref.ts';
import { ApiError } from '../api/request.ts';
import { balanceQuery } from '../api/statements.ts';
import { addDays, formatDay } from '../components/days.ts';
import { Balance } from '../components/Money.tsx';
import { isDay } from '../components/search-filters.ts';
import { dayInZone, startOfDayInZone } from '../components/time-zone.ts';
import { useNow } from '../components/use-now.ts';
import classes from './Person.module.css';

interface BalanceOnDateProps {
  guildId: string;
  account: AccountRef;
}

/** Shows the balance of an account at the end of a day that the reader chooses. */
export function BalanceOnDate({ guildId, account }: BalanceOnDateProps) {
  const [day, setDay] = useState('');
  const today = dayInZone(useNow());
  const isAsked = isDay(day);
  const query = useQuery({
    ...balanceQuery(guildId, account, isAsked ? endOfDay(day) : ''),
    enabled: isAsked,
  });
  return (
    <div className={classes.onDate}>
      <TextInput
        type="date"
        label={t`Balance on a day`}
        max={today}
        value={day}
        className={classes.dayField ?? ''}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <output className={classes.onDateResult} aria-live="polite">
        {isAsked && query.data && !query.isError && (
          <>
            <strong>
              <Balance value={query.data.balance} />
            </strong>{' '}
            <span className={classes.quiet}>
              <Trans>at the end of {formatDay(day)}</Trans>
            </span>
          </>
        )}
        {isAsked && query.isError && <span className={classes.quiet}>{refusalOf(query.error)}</span>}
      </output>
    </div>
  );
}

/** The last moment of a day in the page's time zone. */
function endOfDay(day: string): string {
  return new Date(startOfDayInZone(addDays(day, 1)) - 1).toISOString();
}

function refusalOf(error: Error): string {
  const isArchived = error instanceof ApiError && error.code === 'archived';
  return isArchived
    ? t`Transactions of that time are archived, so the balance is not known here.`
    : error.message;
}
