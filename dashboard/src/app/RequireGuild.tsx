import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useOutletContext, useParams } from 'react-router';
import { type Guild, guildsQuery } from '../api/guilds.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageSkeleton } from '../components/PageSkeleton.tsx';

/** Opens a guild's pages to those who manage it. */
export function RequireGuild() {
  const { guildId } = useParams();
  const query = useQuery(guildsQuery);
  if (query.isPending) return <PageSkeleton label="Loading the guild" />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title="Your guilds could not be loaded"
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const guild = query.data.find((candidate) => candidate.guildId === guildId);
  if (!guild) return <NoPermission />;
  return <Outlet context={guild} key={guild.guildId} />;
}

export function useGuild(): Guild {
  return useOutletContext<Guild>();
}

/** A guild that does not exist and one that somebody else manages look the same. */
export function NoPermission() {
  return (
    <EmptyState icon={<IconLock size={28} stroke={1.6} />} title="You do not manage this guild" isPage>
      <p>
        Its pages are open to its owner and to members who may administer or manage it on the chat platform.
        If you were given that right just now, sign out and in again.
      </p>
      <Button component={Link} to="/" variant="default" mt="md">
        Choose another guild
      </Button>
    </EmptyState>
  );
}
