import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { KeyHour } from '../api/requests.ts';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { RequestBars } from '../charts/RequestBars.tsx';
import { Breakable } from '../components/Breakable.tsx';
import { formatDay, formatShortDay } from '../components/days.ts';
import { Moment } from '../components/Moment.tsx';
import { groupCount } from '../components/money.ts';
import { useNow } from '../components/use-now.ts';
import classes from './Requests.module.css';
import { barsOf, routeLabel, routesOf } from './request-counts.ts';

interface RequestCountsProps {
  hours: readonly KeyHour[];
  days: number;
  /** The time from which on requests are counted. */
  since: string;
}

/** The number of requests over time, and by route. */
export function RequestCounts({ hours, days, since }: RequestCountsProps) {
  const nowMs = useNow();
  const bars = barsOf(hours, { days, nowMs }).map(({ startMs, ...counts }) => {
    const iso = new Date(startMs).toISOString();
    const [day = '', time = ''] = [iso.slice(0, 10), t`${iso.slice(11, 16)} UTC`];
    return {
      ...counts,
      day: iso,
      label: days === 1 ? time : formatDay(day),
      shortLabel: days === 1 ? iso.slice(11, 16) : formatShortDay(day),
    };
  });
  const routes = routesOf(hours);
  const sum = (kind: 'answered' | 'refused') => routes.reduce((total, counts) => total + counts[kind], 0);
  const [answered, refused] = [sum('answered'), sum('refused')];
  if (routes.length === 0) {
    return (
      <p className={classes.quiet}>
        <Trans>
          No requests in this period. They appear here as soon as a program uses a key. The count began{' '}
          <Moment at={since} nowMs={nowMs} />.
        </Trans>
      </p>
    );
  }
  return (
    <div className={classes.counts}>
      <section aria-labelledby="counts-title">
        <h2 id="counts-title" className={classes.title}>
          <span data-tint="in">{plural(answered, { one: '# answered', other: '# answered' })}</span>{' '}
          <span data-tint="refused">{plural(refused, { one: '# refused', other: '# refused' })}</span>
        </h2>
        <ChartFrame
          title={days === 1 ? t`Requests by hour` : t`Requests by day`}
          headings={[days === 1 ? t`Hour` : t`Day`, t`Answered`, t`Refused`]}
          rows={bars.map((bar) => [bar.label, String(bar.answered), String(bar.refused)])}
        >
          <RequestBars days={bars} />
        </ChartFrame>
      </section>
      <section aria-labelledby="routes-title">
        <h2 id="routes-title" className={classes.title}>
          <Trans>By route</Trans>
        </h2>
        <table className={classes.routes}>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Route</Trans>
              </th>
              <th scope="col">
                <Trans>Answered</Trans>
              </th>
              <th scope="col">
                <Trans>Refused</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {routes.map(({ route, ...counts }) => (
              <tr key={route}>
                <th scope="row" title={route}>
                  <Breakable>{routeLabel(route)}</Breakable>
                </th>
                <td>{groupCount(counts.answered)}</td>
                <td data-refused={counts.refused > 0 || undefined}>{groupCount(counts.refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className={classes.quiet}>
          <Trans>
            The count began <Moment at={since} nowMs={nowMs} /> and is some seconds behind. Days and hours are
            in UTC.
          </Trans>
        </p>
      </section>
    </div>
  );
}
