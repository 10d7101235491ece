import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import { Segments } from '../components/Segments.tsx';
import type { OverviewFilters } from './overview-filters.ts';
import { fromFirstDay } from './range.ts';
import { TotalSection } from './TotalSection.tsx';
import { TurnoverSection } from './TurnoverSection.tsx';

interface ChartSectionProps {
  guild: Guild;
  overview: Overview;
  filters: OverviewFilters;
  isStale: boolean;
}

/** The chart of the overview: money in and out, or the guild's total. All time begins with the first transaction. */
export function ChartSection({ guild, overview: answer, filters, isStale }: ChartSectionProps) {
  const overview = useMemo(() => fromFirstDay(answer), [answer]);
  const choice = (
    <Segments
      aria-label={t`Chart`}
      data={[
        { value: 'flow', label: t`In and out` },
        { value: 'total', label: t`Total` },
      ]}
      value={filters.values.chart}
      onChange={(value) => filters.change({ chart: value === 'total' ? 'total' : 'flow' })}
    />
  );
  return filters.values.chart === 'total' ? (
    <TotalSection overview={overview} isStale={isStale} choice={choice} />
  ) : (
    <TurnoverSection guild={guild} overview={overview} filters={filters} isStale={isStale} choice={choice} />
  );
}
