import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useMemo } from 'react';
import type { Overview } from '../api/overview.ts';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { TotalArea } from '../charts/TotalArea.tsx';
import { formatDay } from '../components/days.ts';
import { formatMoney } from '../components/money.ts';
import classes from './Overview.module.css';
import { dailyTotals } from './totals.ts';

interface TotalSectionProps {
  overview: Overview;
  isStale: boolean;
  /** The control that selects another chart. */
  choice: ReactNode;
}

/** The sum of all balances at the end of each day. */
export function TotalSection({ overview, isStale, choice }: TotalSectionProps) {
  const points = useMemo(() => dailyTotals(overview), [overview]);
  return (
    <section className={classes.section} aria-labelledby="total-title">
      <div className={classes.head}>
        <div>
          <h2 id="total-title" className={classes.title}>
            <Trans>Guild total</Trans>
          </h2>
          <p className={classes.note}>
            <Trans>All accounts together at the end of each day</Trans>
          </p>
        </div>
        {choice}
      </div>
      <ChartFrame
        title={t`Guild total by day`}
        headings={[t`Day`, t`Total`]}
        rows={points.map(({ day, total }) => [formatDay(day), formatMoney(total)])}
        isStale={isStale}
      >
        <TotalArea points={points} />
      </ChartFrame>
    </section>
  );
}
