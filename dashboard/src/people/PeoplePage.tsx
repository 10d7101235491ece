import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconSearchOff, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import { useMay } from '../access/use-may.ts';
import {
  type Member,
  type MemberSortColumn,
  memberStates,
  membersExportAddress,
  membersQuery,
} from '../api/members.ts';
import { overviewAddress, personAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ExportLink } from '../components/ExportLink.tsx';
import { FilterBar } from '../components/FilterBar.tsx';
import { FilterText } from '../components/FilterText.tsx';
import { groupCount } from '../components/money.ts';
import { OrderSelect } from '../components/OrderSelect.tsx';
import type { Ordering } from '../components/ordering.ts';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { RecordList } from '../components/RecordList.tsx';
import { type SearchFilters, useSearchFilters } from '../components/use-search-filters.ts';
import { FoundElsewhere } from './FoundElsewhere.tsx';
import { ImportVerifications } from './ImportVerifications.tsx';
import { memberColumns } from './member-columns.tsx';
import {
  type MemberValues,
  memberFilters,
  memberNarrowing,
  memberOrderLabels,
  stateLabels,
} from './member-filters.ts';
import classes from './People.module.css';
import { parseLookup } from './person-query.ts';

const title = () => t`People`;
const countedMax = 10_000;

/** All members of the guild: people with an account or a record. */
export function PeoplePage() {
  const guild = useGuild();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={title()} />;
  return (
    <>
      <PageHeading title={title()} action={<ImportVerifications guild={guild} />}>
        <Trans>
          Everybody with an account or a record in <bdi>{guild.name}</bdi>, and who they are on the chat
          platform.
        </Trans>
      </PageHeading>
      <Members guildId={guild.guildId} />
    </>
  );
}

type Filters = SearchFilters<MemberValues>;

function Members({ guildId }: { guildId: string }) {
  const filters: Filters = useSearchFilters(memberFilters, {
    resets: { cursor: '' },
    narrowing: memberNarrowing,
  });
  const mayExport = useMay('export');
  const { cursor, ...listing } = filters.values;
  // A prefix such as `chat:` is for the look-up of verified people; the list searches all fields anyway.
  const asked = { ...listing, query: parseLookup(listing.query).text };
  const query = useQuery(membersQuery(guildId, { ...asked, cursor }));
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The people could not be loaded`}>
      {({ members, nextCursor, total }) => (
        <>
          {(total !== 0 || filters.narrowedBy > 0 || query.isPlaceholderData) && (
            <MemberFilterBar
              filters={filters}
              status={statusOf(total, filters.narrowedBy > 0)}
              exportAddress={mayExport ? membersExportAddress(guildId, asked) : undefined}
            />
          )}
          <FoundElsewhere guildId={guildId} query={listing.query} members={members} />
          {members.length === 0 ? (
            <Nobody filters={filters} isMore={nextCursor !== null} />
          ) : (
            <MemberList
              guildId={guildId}
              members={members}
              filters={filters}
              isStale={query.isPlaceholderData}
            />
          )}
          <Steps filters={filters} nextCursor={nextCursor} />
        </>
      )}
    </Loaded>
  );
}

function statusOf(total: number | null, isNarrowed: boolean): string {
  if (total === null) return isNarrowed ? t`People who match` : t`More than ${groupCount(countedMax)} people`;
  return isNarrowed
    ? plural(total, { one: '# person matches', other: '# people match' })
    : plural(total, { one: '# person', other: '# people' });
}

interface MemberFilterBarProps {
  filters: Filters;
  status: string;
  /** Undefined for those who may not export. */
  exportAddress: string | undefined;
}

function MemberFilterBar({ filters, status, exportAddress }: MemberFilterBarProps) {
  const { values, change, narrowedBy, clear } = filters;
  const exportButton = exportAddress !== undefined && (
    <ExportLink href={exportAddress} fileName="people.csv" />
  );
  return (
    <FilterBar status={status} narrowedBy={narrowedBy} onClear={clear} actions={exportButton}>
      <FilterText
        label={t`Search`}
        placeholder={t`Name or id`}
        value={values.query}
        onChange={(query) => change({ query }, { isReplacing: true })}
      />
      <NativeSelect
        label={t`Show`}
        data={['' as const, ...memberStates].map((value) => ({ value, label: stateLabels()[value] }))}
        value={values.state}
        onChange={(event) =>
          change({ state: memberStates.find((state) => state === event.currentTarget.value) ?? '' })
        }
      />
      <OrderSelect
        labels={memberOrderLabels()}
        ordering={orderingOf(filters)}
        onOrder={(ordering) => orderBy(filters, ordering)}
      />
    </FilterBar>
  );
}

function orderingOf({ values: { sortBy, sortOrder } }: Filters): Ordering<MemberSortColumn> {
  return { sortBy, isDescending: sortOrder === 'desc' };
}

function orderBy({ change }: Filters, { sortBy, isDescending }: Ordering<MemberSortColumn>) {
  change({ sortBy, sortOrder: isDescending ? 'desc' : 'asc' });
}

interface MemberListProps {
  guildId: string;
  members: Member[];
  filters: Filters;
  isStale: boolean;
}

function MemberList({ guildId, members, filters, isStale }: MemberListProps) {
  const navigate = useNavigate();
  return (
    <RecordList
      caption={t`People`}
      rows={members}
      columns={memberColumns(guildId)}
      idOf={({ playerId }) => playerId}
      ordering={orderingOf(filters)}
      onOrder={(ordering) => orderBy(filters, ordering)}
      onOpen={({ playerId }) => navigate(personAddress(guildId, playerId))}
      isStale={isStale}
    />
  );
}

function Nobody({ filters, isMore }: { filters: Filters; isMore: boolean }) {
  const guild = useGuild();
  const address = overviewAddress(guild.guildId);
  if (filters.narrowedBy === 0) {
    return (
      <EmptyState icon={<IconUsers size={28} stroke={1.6} />} title={t`Nobody yet`}>
        <p>
          <Trans>
            People appear here with their first transaction or record. Bots post them with a key; you can add
            records yourself.
          </Trans>
        </p>
        <Group gap="xs" justify="center" mt="md">
          <Button component={Link} to={`${address}/keys`} variant="default">
            <Trans>Create key</Trans>
          </Button>
          <Button component={Link} to={`${address}/discharges`} variant="default">
            <Trans>Add a record</Trans>
          </Button>
        </Group>
      </EmptyState>
    );
  }
  const { text } = parseLookup(filters.values.query);
  return (
    <EmptyState
      icon={<IconSearchOff size={28} stroke={1.6} />}
      title={text === '' ? t`Nobody matches` : t`Nobody matches “${text}”`}
    >
      <p>
        {isMore
          ? t`This guild is large, and only a part of it was searched so far.`
          : t`Names match in any part and in any case, former names too; ids have to match to the letter.`}
        {guild.state !== 'ready' && t` With an active plan, verified people of other guilds are found too.`}
      </p>
      <Button variant="default" mt="md" onClick={filters.clear}>
        <Trans>Show everybody</Trans>
      </Button>
    </EmptyState>
  );
}

interface StepsProps {
  filters: Filters;
  nextCursor: string | null;
}

/** Buttons for the next page and the first one. For the previous page people use the browser's back button. */
function Steps({ filters: { values, change }, nextCursor }: StepsProps) {
  if (values.cursor === '' && nextCursor === null) return null;
  return (
    <nav className={classes.steps} aria-label={t`Pages of people`}>
      {values.cursor !== '' && (
        <Button variant="default" onClick={() => change({ cursor: '' })}>
          <Trans>First page</Trans>
        </Button>
      )}
      {nextCursor !== null && (
        <Button variant="default" onClick={() => change({ cursor: nextCursor })}>
          {values.query === '' ? t`Next page` : t`Search further`}
        </Button>
      )}
    </nav>
  );
}
