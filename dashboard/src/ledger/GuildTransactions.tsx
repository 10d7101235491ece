import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconCoins, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { useSession } from '../access/session-context.ts';
import { useMay } from '../access/use-may.ts';
import type { Guild } from '../api/guilds.ts';
import type { SortColumn } from '../api/transaction-listing.ts';
import {
  type GuildPage,
  guildExportAddress,
  guildSumsQuery,
  guildTransactionsQuery,
} from '../api/transactions.ts';
import { personAddress } from '../components/addresses.ts';
import { askedRange, resolveRange } from '../components/date-range.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Notice } from '../components/Notice.tsx';
import { OrderSelect } from '../components/OrderSelect.tsx';
import type { Ordering } from '../components/ordering.ts';
import { TableSkeleton } from '../components/PageSkeleton.tsx';
import { RecordList } from '../components/RecordList.tsx';
import { exactMoment } from '../components/time.ts';
import { calendarZone } from '../components/time-zone.ts';
import { useNow } from '../components/use-now.ts';
import { type SearchFilters, useSearchFilters } from '../components/use-search-filters.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { isContradiction } from './amount-filter.ts';
import classes from './Ledger.module.css';
import { LedgerSums } from './LedgerSums.tsx';
import { LedgerViews } from './LedgerViews.tsx';
import {
  type GuildValues,
  guildFilters,
  guildListingOf,
  guildNarrowing,
  isPlayerId,
  pageSizes,
  readTrail,
  rememberLedger,
} from './ledger-filters.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { TransactionDrawer } from './TransactionDrawer.tsx';
import { TransactionFilterBar } from './TransactionFilterBar.tsx';
import { guildColumns, orderLabels, shownColumns } from './transaction-columns.tsx';
import { useSelectedTransactions } from './use-selected-transactions.ts';

type Filters = SearchFilters<GuildValues>;

export function GuildTransactions({ guild }: { guild: Guild }) {
  const filters: Filters = useSearchFilters(guildFilters, {
    resets: { before: '' },
    narrowing: guildNarrowing,
  });
  const { search } = useLocation();
  useEffect(() => rememberLedger(guild.guildId, search), [guild.guildId, search]);
  const nowMs = useNow();
  const range = resolveRange(filters.values, { nowMs, usual: 'all' });
  const listing = guildListingOf(filters.values, askedRange(range));
  const isImpossible = isContradiction(listing);
  const query = useQuery({ ...guildTransactionsQuery(guild.guildId, listing), enabled: !isImpossible });
  const sums = useQuery({ ...guildSumsQuery(guild.guildId, listing), enabled: !isImpossible });
  const page = query.data;
  // There is nothing to search, to sum up or to export.
  const isBlank = page?.total === 0 && filters.narrowedBy === 0 && !query.isPlaceholderData;
  return (
    <>
      {!isBlank && (
        <TransactionFilterBar
          filters={filters.values}
          range={range}
          nowMs={nowMs}
          narrowedBy={filters.narrowedBy}
          sources={page?.sources ?? []}
          onChange={filters.change}
          onClear={filters.clear}
          status={
            <LedgerSums
              sums={isImpossible ? undefined : sums.data}
              total={isImpossible ? undefined : page?.total}
              isNarrowed={filters.narrowedBy > 0}
              isStale={sums.isPlaceholderData}
            />
          }
          exportAddress={guildExportAddress(guild.guildId, { ...listing, timeZone: calendarZone() })}
          search={filters.values.search}
          onSearch={(text, applied) => filters.change({ search: text }, applied)}
          actions={<LedgerViews guildId={guild.guildId} />}
        >
          <OrderSelect
            labels={orderLabels()}
            ordering={orderingOf(filters.values)}
            onOrder={orderBy(filters)}
          />
        </TransactionFilterBar>
      )}
      {isImpossible ? (
        <NothingBetween />
      ) : (
        <Loaded query={query} skeleton={<TableSkeleton />} failure={t`The ledger could not be loaded`}>
          {(data) => (
            <GuildPageView guild={guild} page={data} filters={filters} isStale={query.isPlaceholderData} />
          )}
        </Loaded>
      )}
    </>
  );
}

function orderingOf({ sortBy, sortOrder }: GuildValues): Ordering<SortColumn> {
  return { sortBy, isDescending: sortOrder === 'desc' };
}

function orderBy(filters: Filters) {
  return ({ sortBy, isDescending }: Ordering<SortColumn>) =>
    filters.change({ sortBy, sortOrder: isDescending ? 'desc' : 'asc' });
}

export function NothingBetween() {
  return (
    <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title={t`No amount lies between these two`}>
      <Trans>The largest amount is below the smallest.</Trans>
    </EmptyState>
  );
}

interface GuildPageViewProps {
  guild: Guild;
  page: GuildPage;
  filters: Filters;
  isStale: boolean;
}

function GuildPageView({ guild, page, filters, isStale }: GuildPageViewProps) {
  const nowMs = useNow();
  const { show } = useShownRecord();
  const { density, hiddenColumns } = useSession().preferences;
  const rows = page.transactions;
  const selection = useSelectedTransactions(rows);
  const mayReverse = useMay('ledger.reverse');
  const mayExport = useMay('export');
  const isEmpty = rows.length === 0 && page.next === null;
  return (
    <>
      {isEmpty ? (
        <NoTransactions guild={guild} filters={filters} />
      ) : (
        <>
          <RecordList
            caption={t`Transactions of this guild`}
            rows={rows}
            columns={shownColumns(guildColumns(guild.guildId, { nowMs, rows }), hiddenColumns)}
            idOf={({ transactionId }) => transactionId}
            ordering={orderingOf(filters.values)}
            onOrder={orderBy(filters)}
            onOpen={({ transactionId }) => show(transactionId)}
            isStale={isStale}
            hasDenseCards
            isCompact={density === 'compact'}
            selection={mayReverse || mayExport ? selection : undefined}
          />
          <SelectionBar
            guildId={guild.guildId}
            transactions={rows.filter(({ transactionId }) => selection.ids.has(transactionId))}
            onClear={() => selection.onChange(new Set())}
          />
          {page.searchedTo !== null && <SearchedTo at={page.searchedTo} order={filters.values.sortOrder} />}
          <Steps page={page} filters={filters} />
        </>
      )}
      <TransactionDrawer guildId={guild.guildId} transactions={rows} nowMs={nowMs} withPlayerLink />
    </>
  );
}

function SearchedTo({ at, order }: { at: string; order: 'asc' | 'desc' }) {
  const moment = exactMoment(Date.parse(at));
  return (
    <div className={classes.searched}>
      <Notice tone="info">
        {order === 'desc'
          ? t`Searched back to ${moment}. Older transactions were not looked at yet.`
          : t`Searched forward to ${moment}. Newer transactions were not looked at yet.`}
      </Notice>
    </div>
  );
}

/** Links to the next and previous pages. The cursors of the previous pages are in the history's state. */
function Steps({ page, filters }: { page: GuildPage; filters: Filters }) {
  const { before, limit, sortBy, sortOrder } = filters.values;
  const { state } = useLocation();
  const trail = before === '' ? [] : readTrail(state);
  const goOn = () => {
    if (page.next !== null) filters.change({ before: page.next }, { state: { trail: [...trail, before] } });
  };
  const goBack = () =>
    filters.change({ before: trail.at(-1) ?? '' }, { state: { trail: trail.slice(0, -1) } });
  const isNewestFirst = sortBy === 'createdAt' && sortOrder === 'desc';
  const words = isNewestFirst
    ? { first: t`Newest`, back: t`Newer`, on: t`Older` }
    : { first: t`First page`, back: t`Previous`, on: t`Next` };
  return (
    <nav className={classes.steps} aria-label={t`Pages of transactions`}>
      <NativeSelect
        aria-label={t`Records on a page`}
        size="xs"
        data={pageSizes.map((size) => ({ value: String(size), label: t`${size} per page` }))}
        value={String(limit)}
        onChange={(event) => filters.change({ limit: Number(event.currentTarget.value) })}
      />
      <div className={classes.stepButtons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconChevronLeft size={15} stroke={1.8} />}
          disabled={before === ''}
          onClick={goBack}
        >
          {before !== '' && trail.length === 0 ? words.first : words.back}
        </Button>
        <Button
          variant="default"
          size="xs"
          rightSection={<IconChevronRight size={15} stroke={1.8} />}
          disabled={page.next === null}
          onClick={goOn}
        >
          {page.searchedTo === null ? words.on : t`Keep looking`}
        </Button>
      </div>
    </nav>
  );
}

function NoTransactions({ guild, filters }: { guild: Guild; filters: Filters }) {
  if (filters.narrowedBy > 0 || filters.values.before !== '') {
    return (
      <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title={t`No transaction matches`}>
        <p>
          <Trans>
            Sources are matched to the letter; amounts are those of a single item, with their sign.
          </Trans>
        </p>
        <Group justify="center" mt="md">
          <Button variant="default" onClick={filters.clear}>
            <Trans>Show all transactions</Trans>
          </Button>
          {isPlayerId(filters.values.search) && (
            <Button
              component={Link}
              to={personAddress(guild.guildId, filters.values.search.trim())}
              variant="default"
            >
              <Trans>Open player id {filters.values.search.trim()}</Trans>
            </Button>
          )}
        </Group>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<IconCoins size={28} stroke={1.6} />} title={t`No transactions yet`}>
      <p>
        <Trans>
          Bots and game servers post them with an API key. You can also post one by hand with “New” above.
        </Trans>
      </p>
      <Button component={Link} to={`/guilds/${guild.guildId}/keys`} variant="default" mt="md">
        <Trans>Create key</Trans>
      </Button>
    </EmptyState>
  );
}
