import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import type { Profile } from '../api/members.ts';
import { overviewAddress } from '../components/addresses.ts';
import { Breakable } from '../components/Breakable.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { shortDay } from '../components/record-days.ts';
import classes from './Person.module.css';

interface PersonRecordsProps {
  guildId: string;
  playerId: string;
  /** Null when the guild does not know the player. */
  query: UseQueryResult<Profile | null>;
}

/** The newest discharges and transfers of all accounts of a person. */
export function PersonRecords({ guildId, playerId, query }: PersonRecordsProps) {
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The records could not be loaded`}>
      {(profile) => <AllRecords guildId={guildId} playerId={playerId} profile={profile} />}
    </Loaded>
  );
}

interface AllRecordsProps {
  guildId: string;
  playerId: string;
  profile: Profile | null;
}

function AllRecords({ guildId, playerId, profile }: AllRecordsProps) {
  const guild = overviewAddress(guildId);
  const { discharges = [], transfers = [] } = profile ?? {};
  if (discharges.length + transfers.length === 0) {
    return (
      <EmptyState icon={<IconFileOff size={28} stroke={1.6} />} title={t`No records`}>
        <p>
          <Trans>No discharge and no transfer names this person.</Trans>
        </p>
        <Button component={Link} to={`${guild}/discharges`} variant="default" mt="md">
          <Trans>Add a record</Trans>
        </Button>
      </EmptyState>
    );
  }
  const query = encodeURIComponent(playerId);
  return (
    <>
      <Records
        title={t`Discharges`}
        path={`${guild}/discharges`}
        query={query}
        records={discharges}
        textOf={({ type }) => <bdi>{type}</bdi>}
      />
      <Records
        title={t`Transfers`}
        path={`${guild}/transfers`}
        query={query}
        records={transfers}
        textOf={({ from, to }) => (
          <>
            <bdi>{from}</bdi> → <bdi>{to}</bdi>
          </>
        )}
      />
    </>
  );
}

interface RecordsProps<Item> {
  title: string;
  path: string;
  query: string;
  records: readonly Item[];
  textOf: (record: Item) => ReactNode;
}

function Records<Item extends { id: string; name: string; date: string }>(props: RecordsProps<Item>) {
  const { title, path, query, records, textOf } = props;
  return (
    <section className={classes.section}>
      <h2 className={classes.title}>
        {title}
        {records.length > 0 && (
          <Link to={`${path}?query=${query}`} className={classes.more ?? ''}>
            <Trans>Show all in the list</Trans>
          </Link>
        )}
      </h2>
      <ul className={classes.list}>
        {records.length === 0 && (
          <li className={`${classes.item} ${classes.quiet}`}>
            <Trans context="records">None</Trans>
          </li>
        )}
        {records.map((record) => (
          <li key={record.id} className={classes.item}>
            <span className={classes.grow}>
              <Link to={`${path}?record=${encodeURIComponent(record.id)}`}>
                <bdi>
                  <Breakable>{record.name}</Breakable>
                </bdi>
              </Link>{' '}
              <span className={classes.quiet}>{textOf(record)}</span>
            </span>
            <time className={classes.quiet} dateTime={record.date}>
              {shortDay(record.date)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
