import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button } from '@mantine/core';
import { IconFileOff, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Loaded } from '../access/Loaded.tsx';
import { useMay } from '../access/use-may.ts';
import { useNames } from '../access/use-names.ts';
import { downloadAddress } from '../api/guild-path.ts';
import { type RecordPage, type RecordQuery, recordListQuery } from '../api/records.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ExportLink } from '../components/ExportLink.tsx';
import type { Ordering } from '../components/ordering.ts';
import { Pager } from '../components/Pager.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { RecordList } from '../components/RecordList.tsx';
import { useNow } from '../components/use-now.ts';
import { type SearchFilters, useSearchFilters } from '../components/use-search-filters.ts';
import { useShownRecord } from '../components/use-shown-record.ts';
import { RecordFilters } from './RecordFilters.tsx';
import { recordColumns } from './record-columns.tsx';
import { askedQuery, narrowingFilters, pageSizes, recordFilters } from './record-filters.ts';
import type { RecordKind } from './record-kinds.ts';

interface RecordListingProps {
  kind: RecordKind;
  guildId: string;
  addButton: ReactNode;
  /** Called with the ids of the shown records, in order. */
  onListed: (ids: string[]) => void;
}

/** The records, with filters above and pages below. */
export function RecordListing({ kind, guildId, addButton, onListed }: RecordListingProps) {
  const filters = useSearchFilters(recordFilters, { resets: { page: 1 }, narrowing: narrowingFilters });
  const mayExport = useMay('export');
  const asked = askedQuery(filters.values, kind);
  const query = useQuery(recordListQuery(guildId, kind.path, asked));
  const records = query.data?.records;
  useEffect(() => onListed((records ?? []).map(({ id }) => id)), [records, onListed]);
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={kind.texts.noneLoaded}>
      {(page) => {
        if (page.total === 0 && filters.narrowedBy === 0)
          return <NoRecords kind={kind} addButton={addButton} />;
        const list = { kind, guildId, filters, page, isStale: query.isPlaceholderData };
        return (
          <>
            <RecordFilters
              kind={kind}
              filters={filters}
              types={page.types}
              status={countInWords(page, kind, filters.narrowedBy > 0)}
              actions={mayExport && <ExportButton kind={kind} guildId={guildId} asked={asked} />}
            />
            {page.records.length === 0 ? <NothingHere {...list} /> : <Records {...list} />}
          </>
        );
      }}
    </Loaded>
  );
}

function countInWords({ total }: RecordPage, { texts }: RecordKind, isNarrowed: boolean): string {
  return isNarrowed ? texts.countMatching(total) : texts.count(total);
}

interface RecordsProps {
  kind: RecordKind;
  guildId: string;
  filters: SearchFilters<RecordQuery>;
  page: RecordPage;
  isStale: boolean;
}

function Records({ kind, guildId, filters, page, isStale }: RecordsProps) {
  const nowMs = useNow();
  const { show } = useShownRecord();
  const names = useNames(guildId, { playerIds: page.records.map(({ playerId }) => playerId) });
  const columns = useMemo(
    () => recordColumns(kind, { guildId, nowMs, names }),
    [kind, guildId, nowMs, names],
  );
  const { sortBy, sortOrder } = filters.values;
  const onOrder = (next: Ordering<RecordQuery['sortBy']>) =>
    filters.change({ sortBy: next.sortBy, sortOrder: next.isDescending ? 'desc' : 'asc' });
  return (
    <>
      <div aria-busy={names.isLoading || undefined}>
        <RecordList
          caption={kind.texts.caption}
          rows={page.records}
          columns={columns}
          idOf={({ id }) => id}
          ordering={{ sortBy, isDescending: sortOrder === 'desc' }}
          onOrder={onOrder}
          onOpen={({ id }) => show(id)}
          isStale={isStale}
        />
      </div>
      <Pager
        label={kind.texts.pages}
        page={filters.values.page}
        limit={filters.values.limit}
        total={page.total}
        totalPages={page.totalPages}
        pageSizes={pageSizes}
        onPage={(next) => filters.change({ page: next })}
        onLimit={(limit) => filters.change({ limit })}
      />
    </>
  );
}

function NoRecords({ kind, addButton }: { kind: RecordKind; addButton: ReactNode }) {
  return (
    <EmptyState icon={<IconFileOff size={28} stroke={1.6} />} title={kind.texts.noneYet}>
      <p>
        <Trans>Add the first one here, or import a CSV file. Bots write them with an API key.</Trans>
      </p>
      <Box mt="md">{addButton}</Box>
    </EmptyState>
  );
}

function NothingHere({ kind, filters, page }: RecordsProps) {
  const isPastEnd = page.total > 0;
  return (
    <EmptyState
      icon={<IconSearchOff size={28} stroke={1.6} />}
      title={isPastEnd ? t`This page is past the end` : kind.texts.noneMatches}
    >
      <p>
        {isPastEnd
          ? t`There are fewer records than the address assumes.`
          : t`The search looks at names, ids, players and chat accounts. Days are counted in UTC.`}
      </p>
      <Button
        variant="default"
        mt="md"
        onClick={() => (isPastEnd ? filters.change({ page: 1 }) : filters.clear())}
      >
        {isPastEnd ? t`Go to the first page` : t`Clear filters`}
      </Button>
    </EmptyState>
  );
}

interface ExportButtonProps {
  kind: RecordKind;
  guildId: string;
  asked: RecordQuery;
}

/** Exports all matches in the same order, not only the shown page. */
function ExportButton({ kind, guildId, asked }: ExportButtonProps) {
  const { page: _page, limit: _limit, ...query } = asked;
  return (
    <ExportLink href={downloadAddress(guildId, [`${kind.path}.csv`], query)} fileName={`${kind.path}.csv`} />
  );
}
