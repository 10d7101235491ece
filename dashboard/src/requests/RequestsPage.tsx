import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect } from '@mantine/core';
import { IconCircleCheck, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { may } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { NotAllowed } from '../access/NotAllowed.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import { downloadAddress } from '../api/guild-path.ts';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, keysQuery } from '../api/keys.ts';
import { type KeyHour, requestHoursQuery, requestsQuery } from '../api/requests.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ExportLink } from '../components/ExportLink.tsx';
import { FilterBar } from '../components/FilterBar.tsx';
import { FilterText } from '../components/FilterText.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { Segments } from '../components/Segments.tsx';
import { type SearchFilters, useSearchFilters } from '../components/use-search-filters.ts';
import { KeyTabs } from '../keys/KeyTabs.tsx';
import { reasonText } from '../keys/key-usage.ts';
import { KeepAllSwitch } from './KeepAllSwitch.tsx';
import { RequestCounts } from './RequestCounts.tsx';
import { RequestList } from './RequestList.tsx';
import classes from './Requests.module.css';
import { codesOf, routeLabel, routesOf } from './request-counts.ts';
import { askedFilters, narrowingFilters, type RequestView, requestFilters } from './request-filters.ts';

const title = () => t`Requests`;

/** The page of requests: their number by time and route, and the refused ones with the reason of each. */
export function RequestsPage() {
  const guild = useGuild();
  if (!may(guild, 'keys.read')) return <NotAllowed needed="manager" />;
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={title()} />;
  return (
    <>
      <PageHeading title={title()}>
        <Trans>
          What bots and game servers asked with the keys of <bdi>{guild.name}</bdi>, and why requests were
          refused.
        </Trans>
      </PageHeading>
      <KeyTabs guildId={guild.guildId} />
      <Requests guild={guild} />
    </>
  );
}

function Requests({ guild }: { guild: Guild }) {
  const { guildId } = guild;
  const filters = useSearchFilters(requestFilters, { resets: { cursor: '' }, narrowing: narrowingFilters });
  const { values, change } = filters;
  const keys = useQuery(keysQuery(guildId));
  const counts = useQuery(requestHoursQuery(guildId, values.days));
  const isOfKey = ({ keyId }: KeyHour) => values.key === '' || keyId === values.key;
  return (
    <Loaded query={counts} skeleton={<RowsSkeleton />} failure={t`The requests could not be loaded`}>
      {(all) => {
        const hours = all.hours.filter(isOfKey);
        const created = keys.data?.find(({ id }) => id === values.key)?.createdAt;
        return (
          <>
            <div className={classes.choices}>
              <NativeSelect
                label={t`Key`}
                data={keyChoices(keys.data ?? [], values.key)}
                value={values.key}
                onChange={(event) => change({ key: event.currentTarget.value })}
              />
              <Segments
                aria-label={t`Days of the chart`}
                data={[
                  { value: '1', label: t`Today` },
                  { value: '7', label: t`7 days` },
                  { value: '30', label: t`30 days` },
                  { value: '90', label: t`90 days` },
                ]}
                value={String(values.days)}
                onChange={(days) => change({ days: Number(days) })}
              />
            </div>
            <RequestCounts hours={hours} days={values.days} since={latest(all.since, created)} />
            <Log guild={guild} filters={filters} hours={hours} keys={keys.data ?? []} />
          </>
        );
      }}
    </Loaded>
  );
}

interface LogProps {
  guild: Guild;
  filters: SearchFilters<RequestView>;
  hours: KeyHour[];
  keys: ApiKey[];
}

/** The requests themselves, newest first. */
function Log({ guild, filters, hours, keys }: LogProps) {
  const { values, change, narrowedBy, clear } = filters;
  const asked = askedFilters(values);
  const query = useQuery(requestsQuery(guild.guildId, asked, values.cursor));
  const apiKey = keys.find(({ id }) => id === values.key);
  /** Without any request there is nothing to filter. */
  const isUnused = (listed: number) =>
    listed === 0 && hours.length === 0 && narrowedBy === 0 && values.show === 'refused';
  return (
    <section aria-labelledby="log-title" className={classes.log}>
      <h2 id="log-title" className={classes.title}>
        {values.show === 'refused' ? t`Refused requests` : t`Requests`}
      </h2>
      {apiKey && may(guild, 'keys.change') && <KeepAllSwitch guild={guild} apiKey={apiKey} />}
      <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The requests could not be loaded`}>
        {({ requests, nextCursor }) => (
          <>
            {!isUnused(requests.length) && (
              <FilterBar
                status={plural(requests.length, {
                  one: '# request on this page',
                  other: '# requests on this page',
                })}
                narrowedBy={narrowedBy}
                onClear={clear}
                actions={
                  requests.length > 0 && (
                    <ExportLink href={downloadAddress(guild.guildId, ['requests.csv'], { ...asked })} />
                  )
                }
              >
                <NativeSelect
                  label={t`Show`}
                  data={[
                    { value: 'refused', label: t`Refused only` },
                    { value: 'all', label: t`All that are kept` },
                  ]}
                  value={values.show}
                  onChange={(event) =>
                    change({ show: event.currentTarget.value === 'all' ? 'all' : 'refused' })
                  }
                />
                <NativeSelect
                  label={t`Route`}
                  data={withAny(
                    routesOf(hours).map(({ route }) => route),
                    values.route,
                    routeLabel,
                  )}
                  value={values.route}
                  onChange={(event) => change({ route: event.currentTarget.value })}
                />
                <NativeSelect
                  label={t`Reason`}
                  data={withAny(codesOf(hours), values.code, reasonText)}
                  value={values.code}
                  onChange={(event) => change({ code: event.currentTarget.value })}
                />
                <FilterText
                  label={t`Request id`}
                  placeholder={t`Any`}
                  value={values.id}
                  onChange={(id) => change({ id })}
                />
              </FilterBar>
            )}
            {requests.length === 0 ? (
              <Nothing isNarrowed={narrowedBy > 0} isRefused={values.show === 'refused'} onClear={clear} />
            ) : (
              <RequestList guild={guild} requests={requests} keys={keys} isStale={query.isPlaceholderData} />
            )}
            <Steps
              nextCursor={nextCursor}
              isFirst={values.cursor === ''}
              onCursor={(cursor) => change({ cursor })}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Nothing({
  isNarrowed,
  isRefused,
  onClear,
}: {
  isNarrowed: boolean;
  isRefused: boolean;
  onClear: () => void;
}) {
  if (isNarrowed) {
    return (
      <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title={t`No request matches`}>
        <p>
          <Trans>The last 200 refused requests of each key are kept. An older one is no longer here.</Trans>
        </p>
        <Button variant="default" mt="md" onClick={onClear}>
          <Trans>Clear filters</Trans>
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconCircleCheck size={28} stroke={1.6} />}
      title={isRefused ? t`No request was refused` : t`No requests are kept`}
    >
      <p>
        <Trans>
          A refused request shows here some seconds later, with the reason. To see all requests of a key,
          choose the key and keep all of them for a day.
        </Trans>
      </p>
    </EmptyState>
  );
}

interface StepsProps {
  nextCursor: string | null;
  isFirst: boolean;
  onCursor: (cursor: string) => void;
}

function Steps({ nextCursor, isFirst, onCursor }: StepsProps) {
  if (nextCursor === null && isFirst) return null;
  return (
    <nav className={classes.steps} aria-label={t`Pages of requests`}>
      {!isFirst && (
        <Button variant="default" onClick={() => onCursor('')}>
          <Trans>Newest</Trans>
        </Button>
      )}
      {nextCursor !== null && (
        <Button variant="default" onClick={() => onCursor(nextCursor)}>
          <Trans>Older</Trans>
        </Button>
      )}
    </nav>
  );
}

function keyChoices(keys: readonly ApiKey[], chosen: string): { value: string; label: string }[] {
  const choices = keys.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = chosen === '' || keys.some(({ id }) => id === chosen);
  return [
    { value: '', label: t`All keys` },
    ...choices,
    ...(isListed ? [] : [{ value: chosen, label: t`A deleted key` }]),
  ];
}

/** All values that occur, and the one in the address even when it does not. */
function withAny(values: readonly string[], chosen: string, labelOf: (value: string) => string) {
  const all = chosen === '' || values.includes(chosen) ? values : [...values, chosen];
  return [
    { value: '', label: t`Any` },
    ...all.filter((value) => value !== '').map((value) => ({ value, label: labelOf(value) })),
  ];
}

/** Requests of a key are counted from its creation on. */
function latest(since: string, created: string | undefined): string {
  return created !== undefined && Date.parse(created) > Date.parse(since) ? created : since;
}
