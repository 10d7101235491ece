import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { may } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { useHasDraft } from '../access/use-form-draft.ts';
import type { Guild } from '../api/guilds.ts';
import { activityQuery, type PlayerActivity, type PlayerDetails } from '../api/players.ts';
import { BalanceArea, spanTime } from '../charts/BalanceArea.tsx';
import { drawnSpans, joinSpans } from '../charts/balance-spans.ts';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { DateRangeField } from '../components/DateRangeField.tsx';
import { askedRange, type DateRange, labelInSentence, resolveRange } from '../components/date-range.ts';
import { Figures } from '../components/Figures.tsx';
import { Balance, BreakableMoney, MoneyFlow } from '../components/Money.tsx';
import { addMoney, formatMoney, formatSigned, signOf } from '../components/money.ts';
import { FiguresSkeleton } from '../components/PageSkeleton.tsx';
import { shortMoment } from '../components/time.ts';
import { useNow } from '../components/use-now.ts';
import { useSearchFilters } from '../components/use-search-filters.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { floorFormId } from './floor-form.ts';
import classes from './Ledger.module.css';
import { narrowing, playerFilters } from './ledger-filters.ts';
import own from './Player.module.css';
import { SourceMoney } from './SourceMoney.tsx';

/** Rows of the chart's table for screen readers. */
const tableRowsMax = 100;

const FloorDialog = lazy(async () => ({ default: (await import('./FloorDialog.tsx')).FloorDialog }));

/** The balance of a player's account, and its sums in the range of the page. */
export function PlayerAccount({ guild, player }: { guild: Guild; player: PlayerDetails }) {
  const nowMs = useNow();
  const filters = useSearchFilters(playerFilters, { resets: { page: 1 }, narrowing });
  const range = resolveRange(filters.values, { nowMs, usual: 'all' });
  const query = useQuery(activityQuery(guild.guildId, player, askedRange(range)));
  return (
    <>
      <div className={own.rangeBar}>
        <DateRangeField range={range} nowMs={nowMs} onChange={filters.change} />
        {range.preset !== 'all' && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => filters.change({ range: '', since: '', until: '' })}
          >
            <Trans>Show all time</Trans>
          </Button>
        )}
      </div>
      <Loaded
        query={query}
        skeleton={<FiguresSkeleton count={5} />}
        failure={t`What the account did could not be loaded`}
      >
        {(activity) => (
          <>
            <AccountFigures guild={guild} player={player} activity={activity} range={range} />
            <BalanceSection
              activity={activity}
              range={range}
              nowMs={nowMs}
              isStale={query.isPlaceholderData}
              onSelect={({ sinceMs, untilMs }) =>
                filters.change({ range: '', since: isoOf(sinceMs), until: isoOf(untilMs) })
              }
            />
            <SourceMoney activity={activity} isStale={query.isPlaceholderData} />
          </>
        )}
      </Loaded>
    </>
  );
}

function isoOf(momentMs: number): string {
  return new Date(momentMs).toISOString();
}

interface AccountFiguresProps {
  guild: Guild;
  player: PlayerDetails;
  activity: PlayerActivity;
  range: DateRange;
}

function AccountFigures({ guild, player, activity, range }: AccountFiguresProps) {
  const [isSettingFloor, setSettingFloor] = useState(useHasDraft(floorFormId(player.playerId)));
  const { deposits, withdrawals, depositCount, withdrawalCount } = activity;
  const net = addMoney(deposits, withdrawals === '0' ? '0' : `-${withdrawals}`);
  const when = labelInSentence(range);
  const [opening, closing] = [formatMoney(activity.opening), formatMoney(activity.closing)];
  // The holder of the account does not know the guild's setting.
  const floor = player.isOwn && !guild.overdraftAllowed ? (player.floor ?? '0') : player.floor;
  const floorText = player.isOwn ? t`No limit` : t`Guild’s setting`;
  return (
    <>
      <Figures
        figures={[
          {
            label: t`Balance now`,
            value: <Balance value={player.balance} />,
            text: formatMoney(player.balance),
            note: plural(player.transactions, {
              one: '# transaction in all',
              other: '# transactions in all',
            }),
          },
          {
            label: t`Money in, ${when}`,
            value: <BreakableMoney text={formatMoney(deposits)} />,
            text: formatMoney(deposits),
            note: <RowsLink bound={{ minAmount: '0' }} count={depositCount} />,
          },
          {
            label: t`Money out, ${when}`,
            value: <BreakableMoney text={formatMoney(withdrawals)} />,
            text: formatMoney(withdrawals),
            note: <RowsLink bound={{ maxAmount: '0' }} count={withdrawalCount} />,
          },
          {
            label: t`Net change, ${when}`,
            value: <BreakableMoney text={formatSigned(net)} />,
            text: formatSigned(net),
            note: t`${opening} to ${closing}`,
          },
          {
            label: t`Lowest balance allowed`,
            value: floor === null ? floorText : <Balance value={floor} />,
            text: floor === null ? floorText : formatMoney(floor),
            note: !player.isOwn && may(guild, 'settings.change') && (
              <Button variant="subtle" size="compact-xs" ml={-8} onClick={() => setSettingFloor(true)}>
                <Trans>Change</Trans>
              </Button>
            ),
          },
        ]}
      />
      {isSettingFloor && (
        <Suspense>
          <FloorDialog guild={guild} player={player} onClose={() => setSettingFloor(false)} />
        </Suspense>
      )}
    </>
  );
}

/** A link to the rows of a figure: the same page with one more filter. */
function RowsLink({ bound, count }: { bound: Readonly<Record<string, string>>; count: number }) {
  const search = new URLSearchParams(window.location.search);
  for (const name of ['minAmount', 'maxAmount', 'from', 'page', 'record']) search.delete(name);
  for (const [name, value] of Object.entries(bound)) search.set(name, value);
  return (
    <Link to={`?${search}`} preventScrollReset className={classes.player ?? ''}>
      {plural(count, { one: '# transaction', other: '# transactions' })}
    </Link>
  );
}

interface BalanceSectionProps {
  activity: PlayerActivity;
  range: DateRange;
  nowMs: number;
  isStale: boolean;
  onSelect: (range: { sinceMs: number; untilMs: number }) => void;
}

function BalanceSection({ activity, range, nowMs, isStale, onSelect }: BalanceSectionProps) {
  const { show } = useShownRecord();
  const { history, moves, opening } = activity;
  const spans = drawnSpans(history, { opening, sinceMs: range.sinceMs, untilMs: range.untilMs, nowMs });
  return (
    <section className={classes.section} aria-labelledby="balance-title">
      <h2 id="balance-title" className={classes.sectionTitle}>
        <Trans>Balance over time</Trans>
      </h2>
      {history.length === 0 ? (
        <p className={classes.quiet}>
          <Trans>Nothing was posted in this range. The balance stayed {formatMoney(opening)}.</Trans>
        </p>
      ) : (
        <>
          <ChartFrame
            title={t`Balance over time`}
            headings={[t`When`, t`Balance at the end`, t`Lowest`, t`Highest`]}
            rows={joinSpans(spans, tableRowsMax).map((span) => [
              spanTime(span),
              ...[span.last, span.lowest, span.highest].map(formatMoney),
            ])}
            isStale={isStale}
          >
            <BalanceArea
              spans={spans}
              marks={moves.map(({ transactionId, createdAt, balanceAfter, total }) => ({
                id: transactionId,
                atMs: Date.parse(createdAt),
                balance: balanceAfter,
                isDeposit: signOf(total) > 0,
              }))}
              onSelect={onSelect}
              onOpen={show}
            />
          </ChartFrame>
          <div className={own.moves}>
            <p className={classes.quiet}>
              <Trans>Largest moves, marked in the chart. Drag over it to choose a range.</Trans>
            </p>
            <ul>
              {moves.map((move) => (
                <li key={move.transactionId}>
                  <button type="button" className={own.move} onClick={() => show(move.transactionId)}>
                    <MoneyFlow value={move.total} /> <bdi>{move.name}</bdi>{' '}
                    <span className={classes.quiet}>{shortMoment(Date.parse(move.createdAt))}</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
    </section>
  );
}
