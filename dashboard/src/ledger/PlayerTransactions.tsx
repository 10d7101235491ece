import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../access/Loaded.tsx';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import type { PlayerDetails } from '../api/players.ts';
import type { SortColumn } from '../api/transaction-listing.ts';
import { accountExportAddress, accountTransactionsQuery, type Transaction } from '../api/transactions.ts';
import { askedRange, resolveRange } from '../components/date-range.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { groupCount } from '../components/money.ts';
import { OrderSelect } from '../components/OrderSelect.tsx';
import type { Ordering } from '../components/ordering.ts';
import { Pager } from '../components/Pager.tsx';
import { TableSkeleton } from '../components/PageSkeleton.tsx';
import { RecordList } from '../components/RecordList.tsx';
import { calendarZone } from '../components/time-zone.ts';
import { useNow } from '../components/use-now.ts';
import { type SearchFilters, useSearchFilters } from '../components/use-search-filters.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { isContradiction } from './amount-filter.ts';
import { NothingBetween } from './GuildTransactions.tsx';
import classes from './Ledger.module.css';
import { ColumnChoice } from './LedgerViews.tsx';
import { narrowing, type PlayerValues, pageSizes, playerFilters, playerListingOf } from './ledger-filters.ts';
import { TransactionDrawer } from './TransactionDrawer.tsx';
import { TransactionFilterBar } from './TransactionFilterBar.tsx';
import { orderLabels, playerColumns, shownColumns } from './transaction-columns.tsx';

type Filters = SearchFilters<PlayerValues>;

interface PlayerTransactionsProps {
  guild: Guild;
  player: PlayerDetails;
}

export function PlayerTransactions({ guild, player }: PlayerTransactionsProps) {
  const filters: Filters = useSearchFilters(playerFilters, {
    resets: { page: 1 },
    narrowing,
  });
  const nowMs = useNow();
  const range = resolveRange(filters.values, { nowMs, usual: 'all' });
  const listing = playerListingOf(filters.values, askedRange(range));
  const isImpossible = isContradiction(listing);
  const query = useQuery({
    ...accountTransactionsQuery(guild.guildId, player, listing),
    enabled: !isImpossible,
  });
  const total = query.data?.total;
  return (
    <section className={classes.section} aria-labelledby="transactions-title">
      <h2 id="transactions-title" className={classes.sectionTitle}>
        <Trans>Transactions</Trans>
      </h2>
      <TransactionFilterBar
        filters={filters.values}
        nowMs={nowMs}
        narrowedBy={filters.narrowedBy}
        sources={player.sources}
        onChange={filters.change}
        onClear={filters.clear}
        status={total === undefined || isImpossible ? t`Transactions` : statusOf(total, player.transactions)}
        isOwn={player.isOwn === true}
        exportAddress={accountExportAddress(guild.guildId, player, {
          ...listing,
          timeZone: calendarZone(),
        })}
        actions={<ColumnChoice />}
      >
        <OrderSelect
          labels={orderLabels()}
          ordering={orderingOf(filters.values)}
          onOrder={orderBy(filters)}
        />
      </TransactionFilterBar>
      {isImpossible ? (
        <NothingBetween />
      ) : (
        <Loaded query={query} skeleton={<TableSkeleton />} failure={t`The transactions could not be loaded`}>
          {(page) => (
            <PageView
              guild={guild}
              isOwn={player.isOwn === true}
              page={page}
              filters={filters}
              isStale={query.isPlaceholderData}
            />
          )}
        </Loaded>
      )}
    </section>
  );
}

function statusOf(total: number, all: number): string {
  if (total === all) return plural(all, { one: '# transaction', other: '# transactions' });
  const found = groupCount(total);
  return plural(all, { one: `${found} of # transaction`, other: `${found} of # transactions` });
}

function orderingOf({ sortBy, sortOrder }: PlayerValues): Ordering<SortColumn> {
  return { sortBy, isDescending: sortOrder === 'desc' };
}

function orderBy(filters: Filters) {
  return ({ sortBy, isDescending }: Ordering<SortColumn>) =>
    filters.change({ sortBy, sortOrder: isDescending ? 'desc' : 'asc' });
}

interface PageViewProps {
  guild: Guild;
  isOwn: boolean;
  page: { transactions: Transaction[]; total: number; totalPages: number };
  filters: Filters;
  isStale: boolean;
}

function PageView({ guild, isOwn, page, filters, isStale }: PageViewProps) {
  const nowMs = useNow();
  const { values, change } = filters;
  const { show } = useShownRecord();
  const { density, hiddenColumns } = useSession().preferences;
  const rows = page.transactions;
  const drawer = (
    <TransactionDrawer guildId={guild.guildId} transactions={rows} nowMs={nowMs} isOwn={isOwn} />
  );
  if (page.total === 0) {
    return (
      <>
        <NoMatch filters={filters} />
        {drawer}
      </>
    );
  }
  return (
    <>
      {rows.length === 0 ? (
        <PastTheEnd page={values.page} onLast={() => change({ page: page.totalPages })} />
      ) : (
        <RecordList
          caption={isOwn ? t`Your transactions` : t`Transactions of this player`}
          rows={rows}
          columns={shownColumns(playerColumns({ nowMs, rows }), hiddenColumns)}
          hasDenseCards
          isCompact={density === 'compact'}
          idOf={({ transactionId }) => transactionId}
          ordering={orderingOf(values)}
          onOrder={orderBy(filters)}
          onOpen={({ transactionId }) => show(transactionId)}
          isStale={isStale}
        />
      )}
      <Pager
        label={t`Pages of transactions`}
        page={values.page}
        limit={values.limit}
        total={page.total}
        totalPages={page.totalPages}
        pageSizes={pageSizes}
        onPage={(next) => change({ page: next })}
        onLimit={(limit) => change({ limit })}
      />
      {drawer}
    </>
  );
}

function NoMatch({ filters }: { filters: Filters }) {
  return (
    <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title={t`No transaction matches`}>
      <p>
        <Trans>Sources are matched to the letter; amounts are those of a single item, with their sign.</Trans>
      </p>
      <Button variant="default" mt="md" onClick={filters.clear}>
        <Trans>Show all transactions</Trans>
      </Button>
    </EmptyState>
  );
}

function PastTheEnd({ page, onLast }: { page: number; onLast: () => void }) {
  return (
    <EmptyState
      icon={<IconSearchOff size={28} stroke={1.6} />}
      title={t`There is no page ${groupCount(page)}`}
    >
      <Button variant="default" mt="xs" onClick={onLast}>
        <Trans>Go to the last page</Trans>
      </Button>
    </EmptyState>
  );
}
