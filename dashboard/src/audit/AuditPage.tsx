import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconHistory, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import { useMay } from '../access/use-may.ts';
import { type AuditEntry, auditQuery } from '../api/audit.ts';
import { downloadAddress } from '../api/guild-path.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ExportLink } from '../components/ExportLink.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { useNow } from '../components/use-now.ts';
import { useSearchFilters } from '../components/use-search-filters.ts';
import { AuditEntryRow } from './AuditEntryRow.tsx';
import { AuditFilterBar } from './AuditFilterBar.tsx';
import classes from './AuditPage.module.css';
import { groupByDay } from './audit-days.ts';
import { askedFilters, auditFilters, narrowingFilters, readTrail } from './audit-filters.ts';

const title = () => t`Audit log`;

export function AuditPage() {
  const guild = useGuild();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={title()} />;
  return (
    <>
      <PageHeading title={title()}>
        <Trans>Who changed what, and when. No entry can be altered or removed.</Trans>
      </PageHeading>
      <Log guildId={guild.guildId} />
    </>
  );
}

function Log({ guildId }: { guildId: string }) {
  const filters = useSearchFilters(auditFilters, { resets: { before: 0 }, narrowing: narrowingFilters });
  const { before } = filters.values;
  const [nowMs] = useState(Date.now);
  const mayExport = useMay('export');
  const asked = askedFilters(filters.values, nowMs);
  const query = useQuery(auditQuery(guildId, asked, before || undefined));
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The audit log could not be loaded`}>
      {({ entries, actors, kinds, next }) => {
        if (entries.length === 0 && filters.narrowedBy === 0 && before === 0) return <NothingYet />;
        return (
          <>
            <AuditFilterBar
              filters={filters}
              actors={actors}
              kinds={kinds}
              shownCount={entries.length}
              nowMs={nowMs}
              actions={
                mayExport && <ExportLink href={downloadAddress(guildId, ['audit.csv'], { ...asked })} />
              }
            />
            {!kinds.includes('key') && <HiddenKinds />}
            {entries.length === 0 && <NoneMatches onClear={filters.clear} />}
            <Days guildId={guildId} entries={entries} isStale={query.isPlaceholderData} />
            <Steps next={next} before={before} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Explains gaps in the numbers of entries to people who do not see all of them. */
function HiddenKinds() {
  return (
    <p className={classes.hidden}>
      <Trans>Only managers see the changes of keys, webhooks and roles.</Trans>
    </p>
  );
}

function NoneMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title={t`No entry matches`}>
      <p>
        <Trans>Choose another range of time, or end the filters.</Trans>
      </p>
      <Button variant="default" mt="md" onClick={onClear}>
        <Trans>Clear filters</Trans>
      </Button>
    </EmptyState>
  );
}

function NothingYet() {
  return (
    <EmptyState icon={<IconHistory size={28} stroke={1.6} />} title={t`Nothing has been changed yet`}>
      <p>
        <Trans>
          Every change of a record, a key or the guild itself will be listed here, with who made it.
        </Trans>
      </p>
    </EmptyState>
  );
}

interface DaysProps {
  guildId: string;
  entries: AuditEntry[];
  isStale: boolean;
}

function Days({ guildId, entries, isStale }: DaysProps) {
  const nowMs = useNow();
  return (
    <div className={classes.days} data-stale={isStale || undefined} aria-busy={isStale}>
      {groupByDay(entries, nowMs).map((day) => (
        <section key={day.startMs}>
          <h2 className={classes.day}>{day.title}</h2>
          <ul className={classes.entries}>
            {day.entries.map((entry) => (
              <AuditEntryRow key={entry.entryNo} guildId={guildId} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/**
 * Links to older and newer entries. The way back is kept in the history's state, so a shared link has none and leads
 * to the newest entries instead.
 */
function Steps({ next, before }: { next: number | null; before: number }) {
  const [parameters] = useSearchParams();
  const trail = readTrail(useLocation().state);
  const to = (cursor: number) => {
    const search = new URLSearchParams(parameters);
    if (cursor === 0) search.delete('before');
    else search.set('before', String(cursor));
    return { search: search.toString() };
  };
  if (next === null && before === 0) return null;
  return (
    <nav className={classes.steps} aria-label={t`Pages of the audit log`}>
      {before !== 0 && (
        <Button
          component={Link}
          to={to(trail.at(-1) ?? 0)}
          state={{ trail: trail.slice(0, -1) }}
          variant="default"
          leftSection={<IconArrowLeft size={16} stroke={1.8} />}
        >
          {trail.length === 0 ? t`Newest` : t`Newer`}
        </Button>
      )}
      {next !== null && (
        <Button
          component={Link}
          to={to(next)}
          state={{ trail: [...trail, before] }}
          variant="default"
          className={classes.older ?? ''}
          rightSection={<IconArrowRight size={16} stroke={1.8} />}
        >
          <Trans>Older</Trans>
        </Button>
      )}
    </nav>
  );
}
