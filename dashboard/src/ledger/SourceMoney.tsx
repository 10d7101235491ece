import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { PlayerActivity } from '../api/players.ts';
import { Breakable } from '../components/Breakable.tsx';
import { MoneyFlow } from '../components/Money.tsx';
import { groupCount, placesOf } from '../components/money.ts';
import classes from './Ledger.module.css';
import own from './Player.module.css';

/** The account's deposits and withdrawals of the range, by source. */
export function SourceMoney({ activity, isStale }: { activity: PlayerActivity; isStale: boolean }) {
  const { sources } = activity;
  if (sources.length === 0) return null;
  const places = {
    in: Math.max(...sources.map(({ deposits }) => placesOf(deposits))),
    out: Math.max(...sources.map(({ withdrawals }) => placesOf(withdrawals))),
  };
  return (
    <section className={classes.section} aria-labelledby="sources-title">
      <h2 id="sources-title" className={classes.sectionTitle}>
        <Trans>Money by source</Trans>
      </h2>
      <div className={own.sourcesFrame}>
        <table className={own.sources} data-stale={isStale || undefined}>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Source</Trans>
              </th>
              <th scope="col">
                <Trans>In</Trans>
              </th>
              <th scope="col">
                <Trans>Out</Trans>
              </th>
              <th scope="col">
                <Trans>Transactions</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <tr key={source.source ?? ''}>
                <th scope="row">
                  {source.source === null ? (
                    <span>
                      <Trans>All others</Trans>
                    </span>
                  ) : (
                    <SourceLink source={source.source} />
                  )}
                </th>
                <td data-label={t`In`}>
                  <MoneyFlow value={source.deposits} places={places.in} />
                </td>
                <td data-label={t`Out`}>
                  <MoneyFlow
                    value={source.withdrawals === '0' ? '0' : `-${source.withdrawals}`}
                    places={places.out}
                  />
                </td>
                <td data-label={t`Transactions`}>
                  {groupCount(source.depositCount + source.withdrawalCount)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function SourceLink({ source }: { source: string }) {
  const search = new URLSearchParams(window.location.search);
  for (const name of ['minAmount', 'maxAmount', 'page', 'record']) search.delete(name);
  search.set('from', source);
  return (
    <Link to={`?${search}`} preventScrollReset className={classes.player ?? ''} dir="auto">
      <Breakable>{source}</Breakable>
    </Link>
  );
}
