import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconMoodEmpty, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router';
import { useSession } from '../access/session-context.ts';
import { type Guild, guildsQuery } from '../api/guilds.ts';
import { overviewAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { SearchInput } from '../components/SearchInput.tsx';
import { GuildCard, WaitingGuild } from './GuildCard.tsx';
import classes from './GuildsPage.module.css';

const searchFrom = 9;

interface GuildsPageProps {
  /** The sign-out button, for people who have access to no guild. */
  signOutButton: ReactNode;
}

export function GuildsPage({ signOutButton }: GuildsPageProps) {
  return (
    <>
      <PageHeading title={t`Your guilds`}>
        <Trans>The guilds in which you have a role or an account. Choose one to enter.</Trans>
      </PageHeading>
      <Guilds signOutButton={signOutButton} />
    </>
  );
}

function Guilds({ signOutButton }: GuildsPageProps) {
  const query = useQuery(guildsQuery);
  if (query.isPending) return <RowsSkeleton />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title={t`Your guilds could not be loaded`}
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const [first, ...others] = query.data;
  if (first === undefined) return <NoGuilds signOutButton={signOutButton} />;
  // There is nothing to choose for a member whose only page is their account.
  if (first.role === null && others.length === 0) {
    return <Navigate to={`${overviewAddress(first.guildId)}/me`} replace />;
  }
  return <GuildList guilds={query.data} />;
}

function NoGuilds({ signOutButton }: GuildsPageProps) {
  const { user } = useSession();
  return (
    <EmptyState icon={<IconMoodEmpty size={28} stroke={1.6} />} title={t`You manage no guild`}>
      <p>
        <Trans>
          <bdi>{user.name}</bdi> neither owns a guild nor may administer or manage one. Ask a guild’s owner
          for the “Manage server” permission on the chat platform, or for a role in this dashboard. To see
          your own account in a guild, verify with its bot. Then sign out and in again.
        </Trans>
      </p>
      {signOutButton}
    </EmptyState>
  );
}

function GuildList({ guilds }: { guilds: Guild[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = guilds.filter(({ name, guildId }) => `${name} ${guildId}`.toLowerCase().includes(wanted));
  const ready = shown.filter((guild) => guild.state === 'ready');
  const waiting = shown.filter((guild) => guild.state !== 'ready');
  return (
    <>
      {guilds.length >= searchFrom && (
        <div className={classes.search}>
          <SearchInput label={t`Search your guilds`} value={search} onChange={setSearch} />
        </div>
      )}
      {shown.length === 0 && (
        <EmptyState
          icon={<IconSearchOff size={28} stroke={1.6} />}
          title={t`No guild matches “${search.trim()}”`}
        />
      )}
      {ready.length > 0 && (
        <ul className={classes.cards}>
          {ready.map((guild) => (
            <GuildCard key={guild.guildId} guild={guild} />
          ))}
        </ul>
      )}
      {waiting.length > 0 && (
        <section className={classes.waiting} aria-labelledby="waiting">
          <h2 id="waiting">
            <Trans>Waiting for the operator</Trans>
          </h2>
          <ul className={classes.rows}>
            {waiting.map((guild) => (
              <WaitingGuild key={guild.guildId} guild={guild} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
