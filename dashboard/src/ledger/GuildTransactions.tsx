import { Button, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconCoins, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import type { Guild } from '../api/guilds.ts';
import { type GuildPage, guildExportAddress, guildTransactionsQuery } from '../api/transactions.ts';
import { formatDay } from '../components/days.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Moment } from '../components/Moment.tsx';
import { groupCount } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { RecordList } from '../components/RecordList.tsx';
import { useNow } from '../components/use-now.ts';
import { type SearchFilters, useSearchFilters } from '../components/use-search-filters.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { isContradiction } from './amount-filter.ts';
import classes from './Ledger.module.css';
import { guildFilters, narrowing, pageSizes, readTrail } from './ledger-filters.ts';
import { TransactionDrawer } from './TransactionDrawer.tsx';
import { TransactionFilterBar } from './TransactionFilterBar.tsx';
import { guildColumns } from './transaction-columns.tsx';

type Filters = SearchFilters<{
  limit: number;
  before: string;
  from: string;
  minAmount: string;
  maxAmount: string;
}>;

export function GuildTransactions({ guild }: { guild: Guild }) {
  const filters: Filters = useSearchFilters(guildFilters, {
    resets: { before: '' },
    narrowing,
  });
  const listing = filters.values;
  const isImpossible = isContradiction(listing);
  const query = useQuery({ ...guildTransactionsQuery(guild.guildId, listing), enabled: !isImpossible });
  const page = query.data;
  return (
    <>
      <TransactionFilterBar
        filters={listing}
        narrowedBy={filters.narrowedBy}
        sources={page?.sources ?? []}
        onChange={filters.change}
        onClear={filters.clear}
        status={statusOf(isImpossible ? undefined : page, filters.narrowedBy > 0)}
        exportAddress={guildExportAddress(guild.guildId, listing)}
      />
      {isImpossible ? (
        <NothingBetween />
      ) : (
        <Loaded query={query} skeleton={<RowsSkeleton />} failure="The ledger could not be loaded">
          {(data) => (
            <GuildPageView guild={guild} page={data} filters={filters} isStale={query.isPlaceholderData} />
          )}
        </Loaded>
      )}
    </>
  );
}

/** How many there are, as far as the service has counted. */
function statusOf(page: GuildPage | undefined, isNarrowed: boolean): string {
  if (!page) return 'Transactions';
  const { total } = page;
  if (total === null) return 'Matching transactions';
  const count = `${groupCount(total)} ${total === 1 ? 'transaction' : 'transactions'}`;
  return isNarrowed ? `${count} found` : count;
}

export function NothingBetween() {
  return (
    <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title="No amount lies between these two">
      The largest amount is below the smallest.
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
  if (page.transactions.length === 0 && page.next === null) {
    return <NoTransactions guild={guild} filters={filters} />;
  }
  return (
    <>
      <RecordList
        caption="Transactions of this guild"
        rows={page.transactions}
        columns={guildColumns(guild.guildId, nowMs)}
        idOf={({ transactionId }) => transactionId}
        onOpen={({ transactionId }) => show(transactionId)}
        isStale={isStale}
      />
      {page.searchedTo !== null && <SearchedTo at={page.searchedTo} nowMs={nowMs} />}
      <Steps page={page} filters={filters} />
      <TransactionDrawer
        guildId={guild.guildId}
        transactions={page.transactions}
        nowMs={nowMs}
        withPlayerLink
      />
    </>
  );
}

function SearchedTo({ at, nowMs }: { at: string; nowMs: number }) {
  return (
    <div className={classes.searched}>
      <Notice tone="info">
        Searched back to {formatDay(at.slice(0, 10))}, <Moment at={at} nowMs={nowMs} />. Older transactions
        were not looked at yet.
      </Notice>
    </div>
  );
}

/** The way to older pages and back. The pages behind the present one are kept with the history's entry. */
function Steps({ page, filters }: { page: GuildPage; filters: Filters }) {
  const { before, limit } = filters.values;
  const { state } = useLocation();
  const trail = before === '' ? [] : readTrail(state);
  const goOlder = () => {
    if (page.next !== null) filters.change({ before: page.next }, { state: { trail: [...trail, before] } });
  };
  const goNewer = () =>
    filters.change({ before: trail.at(-1) ?? '' }, { state: { trail: trail.slice(0, -1) } });
  return (
    <nav className={classes.steps} aria-label="Pages of transactions">
      <NativeSelect
        aria-label="Records on a page"
        size="xs"
        data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
        value={String(limit)}
        onChange={(event) => filters.change({ limit: Number(event.currentTarget.value) })}
      />
      <div className={classes.stepButtons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconChevronLeft size={15} stroke={1.8} />}
          disabled={before === ''}
          onClick={goNewer}
        >
          {before !== '' && trail.length === 0 ? 'Newest' : 'Newer'}
        </Button>
        <Button
          variant="default"
          size="xs"
          rightSection={<IconChevronRight size={15} stroke={1.8} />}
          disabled={page.next === null}
          onClick={goOlder}
        >
          {page.searchedTo === null ? 'Older' : 'Keep looking'}
        </Button>
      </div>
    </nav>
  );
}

function NoTransactions({ guild, filters }: { guild: Guild; filters: Filters }) {
  if (filters.narrowedBy > 0 || filters.values.before !== '') {
    return (
      <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title="No transaction matches">
        <p>Sources are matched to the letter; amounts are those of a single item, with their sign.</p>
        <Button variant="default" mt="md" onClick={filters.clear}>
          Show all transactions
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<IconCoins size={28} stroke={1.6} />} title="No transactions yet">
      <p>
        Bots and game servers post them with an API key. You can also find a player above and post a
        correction.
      </p>
      <Button component={Link} to={`/guilds/${guild.guildId}/keys`} variant="default" mt="md">
        Make a key
      </Button>
    </EmptyState>
  );
}
