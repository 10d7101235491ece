import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Switch } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import type { Guild } from '../api/guilds.ts';
import { type Overview, overviewQuery } from '../api/overview.ts';
import { AfterPaint, waitsForPaint } from '../components/AfterPaint.tsx';
import { createLazy } from '../components/create-lazy.tsx';
import { DateRangeField } from '../components/DateRangeField.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { FiguresSkeleton } from '../components/PageSkeleton.tsx';
import { TimeZoneNote } from '../components/TimeZoneNote.tsx';
import { calendarZone } from '../components/time-zone.ts';
import { useNow } from '../components/use-now.ts';
import { useSearchFilters } from '../components/use-search-filters.ts';
import { AttentionSection } from './AttentionSection.tsx';
import { ChartSection } from './ChartSection.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import type { OverviewSectionsProps } from './LowerSections.tsx';
import { daysOf } from './links.ts';
import classes from './Overview.module.css';
import { type OverviewFilters, overviewFilters } from './overview-filters.ts';
import { PeriodSection } from './PeriodSection.tsx';
import { chooseDays, isAllTimeIn } from './range.ts';
import { TopPlayersSection } from './TopPlayers.tsx';

const lowerSections = createLazy(async () => (await import('./LowerSections.tsx')).LowerSections);

/** The page with the code of its lower sections, which follows later only where their rendering does, too. */
export async function loadOverview(): Promise<typeof OverviewPage> {
  if (!waitsForPaint()) await lowerSections.load();
  return OverviewPage;
}

function OverviewPage() {
  const guild = useGuild();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={t`Overview`} />;
  return (
    <>
      <PageHeading title={t`Overview`}>
        <Trans>
          How <bdi>{guild.name}</bdi> stands: its money, its people and its keys.
        </Trans>
      </PageHeading>
      <GuildOverview guild={guild} />
    </>
  );
}

function GuildOverview({ guild }: { guild: Guild }) {
  const filters: OverviewFilters = useSearchFilters(overviewFilters, { narrowing: [] });
  const nowMs = useNow();
  const { since, until, range } = useMemo(() => chooseDays(filters.values, nowMs), [filters.values, nowMs]);
  const query = useQuery({
    ...overviewQuery(guild.guildId, { since, until }),
    placeholderData: keepPreviousData,
  });
  const isAllTime = isAllTimeIn(filters.values);
  return (
    <>
      {query.data?.transactions !== 0 && (
        <div className={classes.rangeBar}>
          <DateRangeField range={range} nowMs={nowMs} onChange={filters.change} />
          <Switch
            label={t`Compare with the period before`}
            checked={isCompared(filters)}
            description={isAllTime && t`All time has no period before it.`}
            disabled={isAllTime}
            onChange={(event) => filters.change({ compare: event.currentTarget.checked ? 'on' : 'off' })}
          />
          <p className={classes.note}>
            <TimeZoneNote />
          </p>
        </div>
      )}
      <Loaded query={query} skeleton={<OverviewSkeleton />} failure={t`The overview could not be loaded`}>
        {(overview: Overview) => (
          <OverviewSections
            guild={guild}
            overview={overview}
            filters={filters}
            isStale={query.isPlaceholderData}
          />
        )}
      </Loaded>
    </>
  );
}

function isCompared({ values }: OverviewFilters): boolean {
  return values.compare === 'on' && !isAllTimeIn(values);
}

function OverviewSections({ guild, overview, filters, isStale }: OverviewSectionsProps) {
  const days = daysOf(overview);
  return (
    <>
      {overview.timeZone !== calendarZone() && <OtherCalendar timeZone={overview.timeZone} />}
      <AttentionSection guild={guild} overview={overview} />
      {overview.transactions === 0 ? (
        <FirstSteps guild={guild} />
      ) : (
        <>
          <PeriodSection guild={guild} overview={overview} isCompared={isCompared(filters)} />
          <div className={classes.chartAndPlayers}>
            <ChartSection guild={guild} overview={overview} filters={filters} isStale={isStale} />
            <TopPlayersSection guild={guild} days={days} />
          </div>
        </>
      )}
      <AfterPaint>
        <Suspense>
          <lowerSections.Content guild={guild} overview={overview} filters={filters} isStale={isStale} />
        </Suspense>
      </AfterPaint>
    </>
  );
}

/** Says that the days of a very large or archived range are not those of the guild's calendar. */
function OtherCalendar({ timeZone }: { timeZone: string }) {
  return (
    <Notice tone="info">
      <Trans>
        Sums of this range are kept by days in {timeZone}: it has too many transactions, or archived ones, to
        add them up by days in {calendarZone()}. Each figure opens exactly its transactions.
      </Trans>
    </Notice>
  );
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-label={t`Loading the overview`}>
      <FiguresSkeleton count={6} />
      <Skeleton height={20} width="12rem" mt="xl" mb="md" />
      <Skeleton height={260} mb="xl" />
      <div className={classes.columns} aria-hidden="true">
        <Skeleton height={220} />
        <Skeleton height={220} />
      </div>
    </div>
  );
}
