import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../components/EmptyState.tsx';

/** The same page for a guild that does not exist and for one that the person has no role in. */
export function NoPermission() {
  return (
    <EmptyState icon={<IconLock size={28} stroke={1.6} />} title={t`You do not manage this guild`} isPage>
      <p>
        <Trans>
          Its pages are open to those who manage it on the chat platform, and to members who were given a role
          here. If that happened just now, sign out and in again.
        </Trans>
      </p>
      <Button component={Link} to="/" variant="default" mt="md">
        <Trans>Choose another guild</Trans>
      </Button>
    </EmptyState>
  );
}
