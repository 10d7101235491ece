import { t } from '@lingui/core/macro';
import { Skeleton, Tabs } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import type { Guild } from '../api/guilds.ts';
import { type Profile, profileQuery } from '../api/members.ts';
import { type PlayerDetails, playerQuery } from '../api/players.ts';
import { ledgerAddress, overviewAddress } from '../components/addresses.ts';
import { keptRange } from '../components/date-range.ts';
import { PageHeading } from '../components/PageHeading.tsx';
import { FiguresSkeleton, TableSkeleton } from '../components/PageSkeleton.tsx';
import { lastLedger } from '../ledger/ledger-filters.ts';
import classes from './Person.module.css';
import { PersonAccount } from './PersonAccount.tsx';
import { PersonHeader } from './PersonHeader.tsx';
import { type PersonTab, personTabs, readView, tabLabels, viewSearch } from './person-tabs.ts';

const PersonRecords = lazy(async () => ({ default: (await import('./PersonRecords.tsx')).PersonRecords }));
const PersonAccounts = lazy(async () => ({ default: (await import('./PersonAccounts.tsx')).PersonAccounts }));
const PersonHistory = lazy(async () => ({
  default: (await import('../audit/PersonHistory.tsx')).PersonHistory,
}));
const PersonStatement = lazy(async () => ({
  default: (await import('./PersonStatement.tsx')).PersonStatement,
}));

/** Everything about one person: the account, records, accounts of the game, and changes. */
export function PersonPage() {
  const guild = useGuild();
  const { playerId = '' } = useParams();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={t`People`} />;
  // The key resets all state for another person, so that nothing typed or opened for one stays for the next.
  return <LoadedPerson key={playerId} guild={guild} playerId={playerId} />;
}

function LoadedPerson({ guild, playerId }: { guild: Guild; playerId: string }) {
  const player = useQuery(playerQuery(guild.guildId, playerId));
  const profile = useQuery(profileQuery(guild.guildId, playerId));
  return (
    <Loaded
      query={player}
      skeleton={<PersonSkeleton guild={guild} playerId={playerId} />}
      failure={t`The person could not be loaded`}
    >
      {(details) => <Person guild={guild} player={details} query={profile} />}
    </Loaded>
  );
}

interface PersonProps {
  guild: Guild;
  player: PlayerDetails;
  /** Null when the guild does not know the player. */
  query: UseQueryResult<Profile | null>;
}

function Person({ guild, player, query }: PersonProps) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const view = readView(search);
  const profile = query.data;
  if (view === 'statement') {
    return (
      <Suspense fallback={<PersonSkeleton guild={guild} playerId={player.playerId} />}>
        <PersonStatement guild={guild} player={player} name={nameOf(player, profile)} />
      </Suspense>
    );
  }
  const open = (tab: PersonTab) =>
    navigate({ search: viewSearch(search, tab) }, { preventScrollReset: true });
  return (
    <>
      <BackLinks guild={guild} />
      <PersonHeader guild={guild} player={player} profile={profile} name={nameOf(player, profile)} />
      <Tabs
        value={view}
        onChange={(value) => open(personTabs.find((tab) => tab === value) ?? 'account')}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs ?? ''} aria-label={t`Views of this person`}>
          {personTabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {tabLabels()[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Panel tab="account">
          <PersonAccount guild={guild} player={player} isUnknown={profile === null} />
        </Panel>
        <Panel tab="records">
          <PersonRecords guildId={guild.guildId} playerId={player.playerId} query={query} />
        </Panel>
        <Panel tab="accounts">
          <PersonAccounts guild={guild} playerId={player.playerId} query={query} />
        </Panel>
        <Panel tab="history">
          <PersonHistory guildId={guild.guildId} playerId={player.playerId} isUnknown={profile === null} />
        </Panel>
      </Tabs>
    </>
  );
}

function Panel({ tab, children }: { tab: PersonTab; children: ReactNode }) {
  return (
    <Tabs.Panel value={tab}>
      <Suspense fallback={<TableSkeleton rows={6} />}>{children}</Suspense>
    </Tabs.Panel>
  );
}

/** The verified name, or else the name in a record. */
function nameOf(player: PlayerDetails, profile: Profile | null | undefined): string {
  return player.username ?? profile?.member.name ?? player.playerId;
}

function BackLinks({ guild }: { guild: Guild }) {
  const { search } = useLocation();
  const links = [
    { label: t`People`, to: `${overviewAddress(guild.guildId)}/people` },
    {
      label: t`Ledger`,
      to: `${ledgerAddress(guild.guildId)}${lastLedger(guild.guildId) || keptRange(search)}`,
    },
  ];
  return (
    <nav className={classes.back} aria-label={t`Back to`}>
      <IconChevronLeft size={15} stroke={1.8} aria-hidden="true" />
      {links.map(({ label, to }) => (
        <Link key={label} to={to} className={classes.backLink ?? ''}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

function PersonSkeleton({ guild, playerId }: { guild: Guild; playerId: string }) {
  return (
    <>
      <BackLinks guild={guild} />
      <PageHeading title={playerId} />
      <Skeleton height={36} width="22rem" maw="100%" mb="md" />
      <FiguresSkeleton count={5} />
      <Skeleton height={272} mt="xl" mb="xl" />
      <TableSkeleton rows={6} />
    </>
  );
}
