import { t } from '@lingui/core/macro';
import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingState } from '../components/LoadingState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { ReferenceView } from './ReferenceView.tsx';
import { referenceQuery } from './reference-query.ts';

const GuildReference = lazy(async () => ({ default: (await import('./GuildReference.tsx')).GuildReference }));

const title = () => t`API reference`;

/** The reference. With a guild in the address its examples have ids of this guild, for people who are signed in. */
export function DocsPage({ guildId }: { guildId: string | undefined }) {
  const query = useQuery(referenceQuery);
  if (query.isSuccess && guildId === undefined)
    return <ReferenceView reference={query.data} title={title()} />;
  const loading = (
    <Frame>
      <LoadingState label={t`Loading the reference`} />
    </Frame>
  );
  if (guildId !== undefined && !query.isError) {
    return (
      <Suspense fallback={loading}>
        <GuildReference guildId={guildId} document={query.data} title={title()} loading={loading} />
      </Suspense>
    );
  }
  if (!query.isError) return loading;
  return (
    <Frame>
      <ErrorState
        title={t`The reference could not be loaded`}
        detail={query.error.message}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title={title()} />
      <main id="content">
        <VisuallyHidden component="h1">{title()}</VisuallyHidden>
        {children}
      </main>
    </>
  );
}
