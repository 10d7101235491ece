import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../components/EmptyState.tsx';
import { usePageTitle } from '../components/use-page-title.ts';

export function NotFoundPage() {
  usePageTitle(t`Page not found`);
  return (
    <EmptyState
      icon={<IconCompass size={28} stroke={1.6} />}
      title={t`There is no page at this address`}
      isPage
    >
      <p>
        <Trans>It may have been moved, or the link was cut short.</Trans>
      </p>
      <Button component={Link} to="/" variant="default" mt="md">
        <Trans>Go to the start page</Trans>
      </Button>
    </EmptyState>
  );
}
