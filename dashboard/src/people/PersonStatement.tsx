import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { may } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import type { Guild } from '../api/guilds.ts';
import type { PlayerDetails } from '../api/players.ts';
import { type Statement, statementExportAddress, statementQuery } from '../api/statements.ts';
import { DateRangeField } from '../components/DateRangeField.tsx';
import { askedRange, type DateRange, rangeFilters, resolveRange } from '../components/date-range.ts';
import { ExportLink } from '../components/ExportLink.tsx';
import { BreakableMoney } from '../components/Money.tsx';
import { formatMoney, formatSigned, groupCount } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { TableSkeleton } from '../components/PageSkeleton.tsx';
import { TimeZoneNote } from '../components/TimeZoneNote.tsx';
import { exactMoment, shortMoment } from '../components/time.ts';
import { calendarZone } from '../components/time-zone.ts';
import { useNow } from '../components/use-now.ts';
import { useSearchFilters } from '../components/use-search-filters.ts';
import classes from './Person.module.css';
import own from './PersonStatement.module.css';
import { viewSearch } from './person-tabs.ts';

interface PersonStatementProps {
  guild: Guild;
  player: PlayerDetails;
  name: string;
}

/** The transactions of a person in a range of time, with the balance before, after each, and at the end. For printing. */
export function PersonStatement({ guild, player, name }: PersonStatementProps) {
  const nowMs = useNow();
  const { search } = useLocation();
  const filters = useSearchFilters(rangeFilters, { narrowing: ['range', 'since', 'until'] });
  const range = resolveRange(filters.values, { nowMs, usual: 'all' });
  const asked = askedRange(range);
  const query = useQuery(statementQuery(guild.guildId, player, asked));
  const exportAddress = statementExportAddress(guild.guildId, player, {
    ...asked,
    timeZone: calendarZone(),
  });
  return (
    <>
      <nav className={classes.back} aria-label={t`Back to`}>
        <IconChevronLeft size={15} stroke={1.8} aria-hidden="true" />
        <Link to={{ search: viewSearch(search, 'account') }} className={classes.backLink ?? ''}>
          <bdi>{name}</bdi>
        </Link>
      </nav>
      <PageHeading
        title={t`Statement of ${name}`}
        action={
          <Group gap="xs">
            {(player.isOwn || may(guild, 'export')) && (
              <ExportLink href={exportAddress} fileName="statement.csv" isInHeading />
            )}
            <Button leftSection={<IconPrinter size={17} stroke={1.7} />} onClick={() => window.print()}>
              <Trans>Print</Trans>
            </Button>
          </Group>
        }
      >
        <Trans>
          <bdi>{guild.name}</bdi>, player <bdi>{player.playerId}</bdi>. {range.label}. <TimeZoneNote />
        </Trans>
      </PageHeading>
      <div className={classes.rangeBar}>
        <DateRangeField range={range} nowMs={nowMs} onChange={filters.change} />
      </div>
      <Loaded query={query} skeleton={<TableSkeleton />} failure={t`The statement could not be loaded`}>
        {(statement) => (
          <StatementView
            statement={statement}
            range={range}
            nowMs={nowMs}
            isStale={query.isPlaceholderData}
          />
        )}
      </Loaded>
    </>
  );
}

interface StatementViewProps {
  statement: Statement;
  range: DateRange;
  nowMs: number;
  isStale: boolean;
}

function StatementView({ statement, range, nowMs, isStale }: StatementViewProps) {
  const { transactions, total, archivedUntil, depositCount, withdrawalCount } = statement;
  const [deposits, withdrawals, closing] = [
    formatMoney(statement.deposits),
    formatMoney(statement.withdrawals),
    formatMoney(statement.closing),
  ];
  const [countIn, countOut] = [countText(depositCount), countText(withdrawalCount)];
  const rest = total - transactions.length;
  const endMs = Math.min(range.untilMs ?? nowMs, nowMs);
  return (
    <>
      {archivedUntil !== undefined && (
        <Notice tone="info" title={t`Archived until ${shortMoment(Date.parse(archivedUntil))}`}>
          <Trans>
            Earlier transactions are in the operator’s archive. The opening balance is the one after them.
          </Trans>
        </Notice>
      )}
      {rest > 0 && (
        <Notice
          tone="info"
          title={plural(transactions.length, {
            one: 'The first # transaction',
            other: 'The first # transactions',
          })}
        >
          {plural(rest, {
            one: '# more is in this range. The CSV has all of them; or choose a shorter range.',
            other: '# more are in this range. The CSV has all of them; or choose a shorter range.',
          })}
        </Notice>
      )}
      <div className={own.statementFrame} data-stale={isStale || undefined}>
        <table className={own.statement}>
          <caption className={own.caption}>
            <Trans>Transactions with the balance after each</Trans>
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <Trans>When</Trans>
              </th>
              <th scope="col">
                <Trans>What</Trans>
              </th>
              <th scope="col">
                <Trans>Source</Trans>
              </th>
              <th scope="col">
                <Trans>In or out</Trans>
              </th>
              <th scope="col">
                <Trans>Balance</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            <BalanceRow
              when={range.sinceMs === undefined ? '' : shortMoment(range.sinceMs)}
              what={t`Opening balance`}
              balance={statement.opening}
            />
            {transactions.map((one) => (
              <tr key={one.transactionId}>
                <td>
                  <time dateTime={one.createdAt} title={exactMoment(Date.parse(one.createdAt))}>
                    {shortMoment(Date.parse(one.createdAt))}
                  </time>
                </td>
                <td>
                  <span className={own.text} title={one.name}>
                    {one.quantity !== 1 && `${groupCount(one.quantity)} × `}
                    <bdi>{one.name}</bdi>
                  </span>
                </td>
                <td>
                  <span className={own.text} title={one.source}>
                    <bdi>{one.source}</bdi>
                  </span>
                </td>
                <td>
                  <BreakableMoney text={formatSigned(one.total)} />
                </td>
                <td data-label={t`Balance`}>
                  <BreakableMoney text={formatMoney(one.balanceAfter)} />
                </td>
              </tr>
            ))}
            {rest === 0 && (
              <BalanceRow when={shortMoment(endMs)} what={t`Closing balance`} balance={statement.closing} />
            )}
          </tbody>
        </table>
      </div>
      <p className={own.sums}>
        <Trans>
          In {deposits} ({countIn}), out {withdrawals} ({countOut}). Closing balance {closing}.
        </Trans>
      </p>
    </>
  );
}

function countText(count: number): string {
  return plural(count, { one: '# transaction', other: '# transactions' });
}

function BalanceRow({ when, what, balance }: { when: string; what: string; balance: string }) {
  return (
    <tr className={own.balanceRow}>
      <td>{when}</td>
      <td colSpan={3}>{what}</td>
      <td>
        <BreakableMoney text={formatMoney(balance)} />
      </td>
    </tr>
  );
}
