import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useSession } from '../access/session-context.ts';
import { useSignOut } from './use-sign-out.ts';

export function SignOutButton() {
  const signOut = useSignOut(useSession());
  return (
    <Button
      variant="default"
      mt="md"
      loading={signOut.isPending}
      onClick={() => signOut.mutate({ isEverywhere: false })}
    >
      <Trans>Sign out</Trans>
    </Button>
  );
}
