import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal } from '@mantine/core';
import type { Session } from '../api/session.ts';
import { Notice } from '../components/Notice.tsx';
import classes from './UserMenu.module.css';
import { useSignOut } from './use-sign-out.ts';

export function SignOutEverywhereDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const signOut = useSignOut(session);
  return (
    <Modal opened onClose={onClose} title={t`Sign out everywhere?`} centered>
      <p className={classes.question}>
        <Trans>
          This ends your session in every browser and on every device, this one included. API keys keep
          working.
        </Trans>
      </p>
      {signOut.isError && (
        <Notice tone="danger" isAnnounced>
          {signOut.error.message}
        </Notice>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          <Trans>Stay signed in</Trans>
        </Button>
        <Button loading={signOut.isPending} onClick={() => signOut.mutate({ isEverywhere: true })}>
          <Trans>Sign out everywhere</Trans>
        </Button>
      </Group>
    </Modal>
  );
}
