import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconMoodConfuzed, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { EmptyState } from '../components/EmptyState.tsx';
import { OfflineState } from '../components/OfflineState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { useIsOffline } from '../components/use-is-offline.ts';
import { usePageTitle } from '../components/use-page-title.ts';
import { NotFoundPage } from './NotFoundPage.tsx';

/** Shown when a page fails: an explanation and two links. */
export function ErrorPage({ isInside = false }: { isInside?: boolean }) {
  const error = useRouteError();
  usePageTitle(t`Something went wrong`);
  const content =
    isRouteErrorResponse(error) && error.status === 404 ? <NotFoundPage /> : <Failure error={error} />;
  if (isInside) return content;
  return (
    <>
      <PageHeader />
      <main id="content">{content}</main>
    </>
  );
}

function Failure({ error }: { error: unknown }) {
  const isOffline = useIsOffline();
  const [wasOffline] = useState(isOffline);
  const isOutdated = isLoadFailure(error);
  const isWaiting = isOutdated && wasOffline;
  useEffect(() => {
    if (isWaiting && !isOffline) window.location.reload();
  }, [isWaiting, isOffline]);
  if (isWaiting) return <OfflineState />;
  return (
    <EmptyState
      icon={<IconMoodConfuzed size={28} stroke={1.6} />}
      title={isOutdated ? t`This page could not be loaded` : t`Something went wrong on this page`}
      isPage
    >
      <p role="alert">
        {isOutdated
          ? t`Either the service does not answer right now, or it was updated since you opened the dashboard. Wait a moment and load the page again.`
          : t`Nothing you entered was sent. Load the page again; if it fails again, tell the operator what you did.`}
      </p>
      <Group justify="center" mt="md">
        <Button leftSection={<IconRefresh size={16} />} onClick={() => window.location.reload()}>
          <Trans>Load again</Trans>
        </Button>
        <Button component="a" href="/dashboard/" variant="default">
          <Trans>Go to the start page</Trans>
        </Button>
      </Group>
    </EmptyState>
  );
}

// The messages of browsers differ, but all of them mention the module or the file that could not be loaded.
function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload/i.test(error.message);
}
