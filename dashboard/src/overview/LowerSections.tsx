import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { LargestBalances } from './LargestBalances.tsx';
import { Overdrawn } from './Overdrawn.tsx';
import classes from './Overview.module.css';
import type { OverviewFilters } from './overview-filters.ts';
import { RecentChanges } from './RecentChanges.tsx';
import { SourceSections } from './SourceSections.tsx';
import { TotalOnDate } from './TotalOnDate.tsx';

export interface OverviewSectionsProps {
  guild: Guild;
  overview: Overview;
  filters: OverviewFilters;
  isStale: boolean;
}

/** The sections below the first screen. */
export function LowerSections({ guild, overview, filters, isStale }: OverviewSectionsProps) {
  return (
    <>
      {overview.transactions > 0 && <SourceSections guild={guild} overview={overview} isStale={isStale} />}
      <div className={classes.thirds}>
        {overview.accounts > 0 && <LargestBalances guild={guild} players={overview.largestBalances} />}
        {overview.accounts > 0 && (
          <div>
            <TotalOnDate guild={guild} day={filters.values.on} onChange={(on) => filters.change({ on })} />
            <Overdrawn guild={guild} overdrawn={overview.overdrawn} />
          </div>
        )}
        <RecentChanges guild={guild} />
      </div>
    </>
  );
}
