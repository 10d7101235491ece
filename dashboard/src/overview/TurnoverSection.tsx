import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Guild } from '../api/guilds.ts';
import type { Overview } from '../api/overview.ts';
import type { FocusedPart } from '../charts/BarPlot.tsx';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { TurnoverBars } from '../charts/TurnoverBars.tsx';
import { formatDays } from '../components/days.ts';
import { lazily } from '../components/lazily.ts';
import { addMoney, formatMoney } from '../components/money.ts';
import { RoundedMoney } from '../components/RoundedMoney.tsx';
import { Segments } from '../components/Segments.tsx';
import { type Bucket, cutIntoBuckets, type Step, stepOf, stepsFor } from './buckets.ts';
import { type Direction, daysOf, rowsAddress } from './links.ts';
import classes from './Overview.module.css';
import type { OverviewFilters } from './overview-filters.ts';
import { useArrowKeys } from './use-arrow-keys.ts';

const stepLabels = lazily((): Record<Step, string> => ({ day: t`Days`, week: t`Weeks`, month: t`Months` }));

const chartTitles = lazily(
  (): Record<Step, string> => ({
    day: t`Money in and out by day`,
    week: t`Money in and out by week`,
    month: t`Money in and out by month`,
  }),
);

interface TurnoverSectionProps {
  guild: Guild;
  overview: Overview;
  filters: OverviewFilters;
  isStale: boolean;
  /** The control that selects another chart. */
  choice: ReactNode;
}

/** Deposits and withdrawals over a range of days. */
export function TurnoverSection({ guild, overview, filters, isStale, choice }: TurnoverSectionProps) {
  const step = stepOf(overview.range, filters.values.by);
  const buckets = useMemo(
    () => cutIntoBuckets(overview.days, overview.range, step),
    [overview.days, overview.range, step],
  );
  return (
    <section className={classes.section} aria-labelledby="turnover-title">
      <div className={classes.head}>
        <div>
          <h2 id="turnover-title" className={classes.title}>
            <Trans>Money in and out</Trans>
          </h2>
          <p className={classes.note}>
            {leadText(step, formatDays(overview.range.since, overview.range.until))}
          </p>
        </div>
        <div className={classes.controls}>
          <StepControl range={overview.range} filters={filters} step={step} />
          {choice}
        </div>
      </div>
      <Sums buckets={buckets} />
      <TurnoverPicture guild={guild} overview={overview} buckets={buckets} step={step} isStale={isStale} />
    </section>
  );
}

interface TurnoverPictureProps {
  guild: Guild;
  overview: Overview;
  buckets: readonly Bucket[];
  step: Step;
  isStale: boolean;
}

/** The chart, and a hidden table with the same sums as links: one Tab stop, with arrow keys from sum to sum. */
function TurnoverPicture({ guild, overview, buckets, step, isStale }: TurnoverPictureProps) {
  const address = (days: { since: string; until: string }, direction: Direction) =>
    rowsAddress(guild.guildId, daysOf(overview, days), { direction });
  const navigate = useNavigate();
  const [focused, setFocused] = useState<FocusedPart>();
  const links = useArrowKeys(buckets);
  const cell = (bucket: Bucket, index: number, tint: FocusedPart['tint']) => {
    const sum = tint === 'in' ? bucket.deposits : bucket.withdrawals;
    if (sum === '0') return formatMoney(sum);
    return (
      <Link
        to={address(bucket, tint)}
        onFocus={() => setFocused({ index, tint })}
        onBlur={() => setFocused(undefined)}
        {...links.propsOf({ index, tint })}
      >
        {formatMoney(sum)}
      </Link>
    );
  };
  return (
    <ChartFrame
      title={chartTitles()[step]}
      headings={[t`When`, t`Money in`, t`Money out`]}
      rows={buckets.map((bucket, index) => [
        bucket.label,
        cell(bucket, index, 'in'),
        cell(bucket, index, 'out'),
      ])}
      isStale={isStale}
    >
      <TurnoverBars
        bars={buckets}
        focused={focused}
        onOpen={(bar, direction) => navigate(address(bar, direction))}
      />
    </ChartFrame>
  );
}

interface StepControlProps {
  range: { since: string; until: string };
  filters: OverviewFilters;
  step: Step;
}

function StepControl({ range, filters, step }: StepControlProps) {
  const possible = stepsFor(range);
  if (possible.length < 2) return null;
  return (
    <Segments
      aria-label={t`Width of a bar`}
      data={possible.map((value) => ({ value, label: stepLabels()[value] }))}
      value={step}
      onChange={(by) => filters.change({ by })}
    />
  );
}

function Sums({ buckets }: { buckets: readonly Bucket[] }) {
  const deposits = buckets.reduce((sum, bucket) => addMoney(sum, bucket.deposits), '0');
  const withdrawals = buckets.reduce((sum, bucket) => addMoney(sum, bucket.withdrawals), '0');
  const difference = addMoney(deposits, withdrawals === '0' ? '0' : `-${withdrawals}`);
  const sums = [deposits, withdrawals];
  return (
    <dl className={classes.sums}>
      <div>
        <span className={classes.swatch} data-direction="in" aria-hidden="true" />
        <dt>
          <Trans>In</Trans>
        </dt>
        <dd>
          <RoundedMoney value={deposits} beside={sums} />
        </dd>
      </div>
      <div>
        <span className={classes.swatch} data-direction="out" aria-hidden="true" />
        <dt>
          <Trans>Out</Trans>
        </dt>
        <dd>
          <RoundedMoney value={withdrawals} beside={sums} />
        </dd>
      </div>
      <div>
        <dt>
          <Trans>Difference</Trans>
        </dt>
        <dd>
          <RoundedMoney value={difference} isSigned beside={sums} />
        </dd>
      </div>
    </dl>
  );
}

function leadText(step: Step, days: string): string {
  switch (step) {
    case 'day':
      return t`${days}, by day. A bar opens its transactions.`;
    case 'week':
      return t`${days}, by week. A bar opens its transactions.`;
    case 'month':
      return t`${days}, by month. A bar opens its transactions.`;
  }
}
