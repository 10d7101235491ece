import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { may } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import type { Guild } from '../api/guilds.ts';
import { type Overview, overviewQuery } from '../api/overview.ts';
import { dayOf } from '../components/days.ts';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { useNow } from '../components/use-now.ts';
import { useSearchFilters } from '../components/use-search-filters.ts';
import { ExpiringKeys } from './ExpiringKeys.tsx';
import { LargestBalances } from './LargestBalances.tsx';
import { MonthSection } from './MonthSection.tsx';
import classes from './Overview.module.css';
import { type OverviewFilters, overviewFilters } from './overview-filters.ts';
import { RecentChanges } from './RecentChanges.tsx';
import { chooseRange } from './range.ts';
import { SourceSections } from './SourceSections.tsx';
import { TurnoverSection } from './TurnoverSection.tsx';

export function OverviewPage() {
  const guild = useGuild();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title="Overview" />;
  return (
    <>
      <PageHeading title="Overview">
        How <bdi>{guild.name}</bdi> stands: its money, its people and its keys.
      </PageHeading>
      <GuildOverview guild={guild} />
    </>
  );
}

function GuildOverview({ guild }: { guild: Guild }) {
  const filters: OverviewFilters = useSearchFilters(overviewFilters, { narrowing: [] });
  const today = dayOf(useNow());
  const range = useMemo(() => chooseRange(filters.values, today), [filters.values, today]);
  const { since, until } = range;
  const query = useQuery({
    ...overviewQuery(guild.guildId, { since, until }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query} skeleton={<OverviewSkeleton />} failure="The overview could not be loaded">
      {(overview: Overview) => (
        <>
          <MonthSection overview={overview} />
          <TurnoverSection
            guild={guild}
            overview={overview}
            range={range}
            filters={filters}
            isStale={query.isPlaceholderData}
          />
          <SourceSections guild={guild} sources={overview.sources} isStale={query.isPlaceholderData} />
          <div className={classes.columns}>
            <LargestBalances guild={guild} players={overview.largestBalances} />
            <div>
              {may(guild, 'keys.read') && <ExpiringKeys guild={guild} />}
              <RecentChanges guild={guild} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading the overview">
      <Skeleton height={126} mb="xl" />
      <Skeleton height={330} mb="xl" />
      <RowsSkeleton />
    </div>
  );
}
