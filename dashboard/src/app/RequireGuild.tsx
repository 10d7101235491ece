import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from 'react-router';
import { NoPermission } from '../access/NoPermission.tsx';
import { guildsQuery } from '../api/guilds.ts';
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
